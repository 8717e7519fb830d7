import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { Edit } from "@assay/rules";
import { afterAll, describe, expect, test } from "vitest";
import { judgedAlone, recordedRun } from "../testing/recorded-run.ts";
import type { Judgement } from "../testing/recorded-run.ts";
import { heldIn } from "./judge-exchanges.ts";
import { proveRules } from "./prove-rules.ts";

/** Rules of which the recorded run shows nothing; what shows them is tried elsewhere. */
const unseen = new Set<RuleId>([
  "stream/alert-level-is-listed",
  "stream/anonymous-search-is-accepted",
  "stream/cut-results-are-named",
  "legacy/unshared-conversation-is-hidden",
]);

/** Ways to ignore a sentence of which it has no evidence, all of them optional. */
const powerless: readonly string[] = [
  "stream/content-match-fits-schema: sends `repoStars` of a content match in another type",
  "stream/progress-fits-schema: sends `trace` of a progress in another type",
  "stream/invalid-token-is-refused: answers searches with the credential `invalid-oauth-token`",
  "legacy/deleted-is-gone: takes a question for a conversation that was deleted",
  "current/deleted-is-gone: takes a question for a conversation that was deleted",
];

const { bundle, close } = await recordedRun();
afterAll(close);
const { judged, result } = await judgedAlone(bundle, bundle.exchanges, { proves: false });
const held = heldIn(result.verdicts);

/** The proof of one rule in some evidence. */
const proofsOf = (part: Judgement, id: RuleId) =>
  proveRules(part.judged, new Map([[id, heldIn(part.result.verdicts).get(id) ?? 0]])).get(id) ?? [];
const originals = new Map(bundle.exchanges.map((exchange) => [exchange.record.id, exchange]));

/** Probes whose requests alone show rules in another way than all of them together. */
const probes = [
  "search",
  "parameter-cm",
  "parameter-display",
  "create",
  "poll",
  "follow-up",
  "quota",
  "list",
  "list-pages",
  "client-header",
];
const parts = await Promise.all(
  probes.map(async (probe) => {
    const own = bundle.exchanges.filter(({ record }) => record.probe === probe);
    return { probe, ...(await judgedAlone(bundle, own, { proves: false })) };
  }),
);

/** All that a target sent, as text. */
const sentIn = ({ record, chunks }: RecordedExchange): string => {
  const sent = Array.from(chunks(), ({ bytes, atMicros }) => [atMicros, Buffer.from(bytes).toString("latin1")]);
  return JSON.stringify([record.response?.status, record.end, record.times, sent]);
};

/** Exchanges of an edit that are as they came. */
const unchanged = ({ instead, api, reference }: Edit): readonly string[] =>
  api === undefined && reference === undefined
    ? instead.flatMap((edited) => {
        const original = originals.get(edited.record.id);
        return original === undefined || sentIn(original) === sentIn(edited) ? [edited.record.id] : [];
      })
    : [];

test("the recorded run has evidence of every rule but those that are named; else `npm run record-run`", () => {
  expect(result.outcome).toBe("passed");
  expect(ruleIds.filter((id) => !held.has(id))).toEqual([...unseen]);
});

describe("had the target ignored its sentence, this rule would not hold:", () => {
  test.each(ruleIds.filter((id) => !unseen.has(id)))("%s", (id) => {
    const proofs = proofsOf({ judged, result }, id);
    expect(proofs.length).toBeGreaterThan(0);
    const left = proofs.flatMap(({ arm, proven }) => (proven === undefined ? [`${id}: ${arm}`] : []));
    expect(left).toEqual(powerless.filter((arm) => arm.startsWith(`${id}: `)));
    const edits = proofs.flatMap(({ proven }) => proven?.edit ?? []);
    const idle = parts
      .filter((part) => heldIn(part.result.verdicts).has(id))
      .filter((part) => !proofsOf(part, id).some(({ proven }) => proven !== undefined));
    expect(idle.map(({ probe }) => probe)).toEqual([]);
    expect(edits.map((edit) => unchanged(edit).length - (edit.instead.length - 1)).filter((few) => few > 0)).toEqual(
      [],
    );
  });
});
