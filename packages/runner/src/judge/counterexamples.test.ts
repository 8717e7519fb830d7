import { everyNth } from "@assay/tools/proving";
import { Buffer } from "node:buffer";
import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { mutationsOf } from "@assay/rules";
import type { Mutation, Edit, RuleOutcome } from "@assay/rules";
import { afterAll, describe, expect, test } from "vitest";
import { comparesReads, judgedAlone, recordedRun, recordedRuns } from "../testing/recorded-run.ts";
import type { Judgement } from "../testing/recorded-run.ts";
import { collectPassedRules } from "./judge-exchanges.ts";
import { judgeEditedConversations, toProofEvidence, proveRules } from "./prove-rules.ts";

/** Optional mutations without evidence in any recorded run. */
const unseen: readonly string[] = [
  "stream/content-match-fits-schema: sends `repoStars` of a content match in another type",
  "stream/progress-fits-schema: sends `trace` of a progress in another type",
  "stream/progress-fits-schema: sends an empty `trace` in a progress",
  "stream/invalid-token-is-refused: accepts searches with the credential `invalid-oauth-token`",
];

/** Optional mutations with evidence only in runs that wait. */
const untimely: readonly string[] = [
  "legacy/deleted-is-gone: accepts a question in a deleted conversation: accepted a question in a deleted conversation",
  "current/deleted-is-gone: accepts a question in a deleted conversation: accepted a question in a deleted conversation",
  // Optional ones: a run sends these searches again only if they find nothing, and no recorded line is cut within a character.
  "stream/suggested-filter-finds-matches: finds nothing with a filter for a language that it suggested: answered a search with a suggested filter for a language as if nothing matched",
  "stream/suggested-filter-finds-matches: finds nothing with a filter of another kind that it suggested: answered a search with a suggested filter of another kind as if nothing matched",
  "stream/max-line-len-cuts-lines: cuts lines within a character: ended the lines of chunk matches with half a character",
];

const reads = (order: readonly string[]): readonly string[] => [...order, "swapped the responses of two reads"];
const finished = ["sent another answer of an ended question", "sent an answer of a question that ended without one"];
const updated = ["sent an earlier update time", "sent an update time that is later than those of later responses"];
const current = reads(["repeated an earlier response for a later read", "showed an ended conversation as in progress"]);

/** Mutations with several kinds of edits, so that at least one kind fits evidence of any shape. */
const several: Readonly<Record<string, readonly string[]>> = {
  "stream/display-bounds-matches: ignores `display`": [
    "read a search with `display` like the same one without it",
    "returned more matches than `display`",
  ],
  "stream/cm-enables-chunk-matches: ignores `cm=true`": [
    "read a search with `cm=true` like the same one without it",
    "sent no chunk matches although `cm` is true",
  ],
  "stream/chunk-matches-need-cm: sends chunk matches without `cm`": [
    "read a search without `cm` like the same one with it",
    "sent the lines of a match as chunk matches too",
  ],
  "legacy/status-transitions-are-listed: goes back to an earlier state": reads([
    "showed an ended conversation as in progress again",
  ]),
  "legacy/reads-are-current: goes back to an earlier state": current,
  "legacy/finished-answer-is-stable: changes a finished answer": finished,
  "legacy/updated-at-never-falls: sends an earlier update time": updated,
  "legacy/page-first-bounds: ignores `page_first`": [
    "responded to a list with `page_first` as to one without it",
    "listed more conversations than `page_first`",
  ],
  "current/state-transitions-are-listed: goes back to an earlier state": reads([
    "showed an ended conversation as in progress again",
  ]),
  "current/reads-are-current: goes back to an earlier state": current,
  "current/finished-answer-is-stable: changes a finished answer": finished,
  "current/updated-at-never-falls: sends an earlier update time": updated,
  "current/needs-no-x-requested-with: refuses calls without `X-Requested-With`": [
    "refused a list without `X-Requested-With`",
    "refused each call without `X-Requested-With`",
  ],
};

/** The judged evidence and its editable part; read once for all rules. */
const withEvidence = (judgement: Judgement) => ({ ...judgement, evidence: toProofEvidence(judgement.judged) });

type Edited = ReturnType<typeof withEvidence>;

const opened = async (name: (typeof recordedRuns)[number]) => {
  const { bundle, close } = await recordedRun(name);
  return { bundle, close, ...withEvidence(await judgedAlone(bundle, bundle.exchanges, { confirmsPasses: false })) };
};

const [wholeName, ...otherNames] = recordedRuns;
const whole = await opened(wholeName);
const runs = [whole, ...(await Promise.all(otherNames.map(opened)))];
afterAll(() => runs.forEach(({ close }) => close()));

const isHeldIn = ({ result }: Judgement, id: RuleId): boolean => collectPassedRules(result.verdicts).has(id);

/** The proof of one rule in some evidence, by some of its mutations. */
const proofsOf = ({ judged, result, evidence }: Edited, id: RuleId, mutations = mutationsOf(id)) =>
  proveRules(judged, new Map([[id, collectPassedRules(result.verdicts).get(id) ?? 0]]), {
    mutationsOf: () => mutations,
    evidence,
  }).get(id) ?? [];

/** The mutations of a rule, each with its edits of one kind, by their description. */
const kindsIn = ({ evidence }: Edited, id: RuleId) =>
  mutationsOf(id).map((mutation) => {
    const name = `${id}: ${mutation.name}`;
    const all = [...mutation.edits(evidence)];
    const kinds = [...new Set(all.map(({ effect }) => effect))];
    const ofKind = (kind: string): Mutation => ({
      ...mutation,
      name: `${name}: ${kind}`,
      edits: () => all.filter(({ effect }) => effect === kind),
    });
    return { name, kinds, mutations: kinds.map(ofKind) };
  });

/** Probes whose requests alone have other outcomes than all requests together. */
const probes = [
  "search",
  "parameter-all-but-display",
  "parameter-display-many",
  "create",
  "poll",
  "follow-up",
  "quota",
  "list",
  "list-pages",
  "client-header",
];
const partsOf = () =>
  Promise.all(
    [
      ...probes.map((name) => ({ name, isIn: ({ record }: RecordedExchange) => record.probe === name })),
      // A question is shown by itself, and in no conversation.
      {
        name: "legacy cancellations",
        isIn: ({ record }: RecordedExchange) => record.interface === "legacy" && record.operation === "cancel",
      },
    ].map(async ({ name, isIn }) => {
      const exchanges = whole.bundle.exchanges.filter(isIn);
      return {
        name,
        exchanges,
        ...withEvidence(await judgedAlone(whole.bundle, exchanges, { confirmsPasses: false })),
      };
    }),
  );

/** Whether each question of a part had ended before its first poll, which depends on the speed of the machine. */
const isReadOnce = (exchanges: readonly RecordedExchange[]): boolean => {
  const polls = exchanges.filter(({ record }) => record.operation === "get");
  return new Set(polls.map(({ record: { request } }) => `${request.url} ${request.body ?? ""}`)).size === polls.length;
};

/** Everything that a target sent, as text. */
const sentIn = ({ record, chunks }: RecordedExchange): string => {
  const sent = Array.from(chunks(), ({ bytes, atMicros }) => [atMicros, Buffer.from(bytes).toString("latin1")]);
  return JSON.stringify([record.response?.status, record.end, record.times, sent]);
};

/** Unchanged exchanges of an edit. */
const unchanged = (
  { replacements, api, reference }: Edit,
  originals: ReadonlyMap<string, RecordedExchange>,
): readonly string[] =>
  api === undefined && reference === undefined
    ? replacements.flatMap((edited) => {
        const original = originals.get(edited.record.id);
        return original === undefined || sentIn(original) === sentIn(edited) ? [edited.record.id] : [];
      })
    : [];

const bodyOf = (exchange: RecordedExchange | undefined): Buffer =>
  Buffer.concat(Array.from(exchange?.chunks() ?? [], ({ bytes }) => bytes));

/** The bytes before the position of an edit, original and edited. */
const before = (
  { replacements: [first], offset = 0 }: Edit,
  originals: ReadonlyMap<string, RecordedExchange>,
): readonly string[] =>
  [originals.get(first.record.id), first].map((exchange) => bodyOf(exchange).toString("latin1", 0, offset));

test("every rule passes in one of the recorded runs; otherwise run `npm run record-run`", () => {
  expect(runs.map(({ result }) => result.outcome)).toEqual(runs.map(() => "passed"));
  expect(ruleIds.filter((id) => !runs.some((run) => isHeldIn(run, id)))).toEqual([]);
});

let parts: Awaited<ReturnType<typeof partsOf>> | undefined;

describe.each(runs.map((run, index) => ({ ...run, name: recordedRuns[index] })))("in $name", (run) => {
  const earlier = runs.slice(
    0,
    runs.findIndex(({ bundle }) => bundle === run.bundle),
  );
  const shown = ruleIds.filter((id) => isHeldIn(run, id) && !earlier.some((other) => isHeldIn(other, id)));
  const originals = new Map(run.bundle.exchanges.map((exchange) => [exchange.record.id, exchange]));

  test.each(everyNth(shown, 2))("%s detects each kind of its mutations", { tags: "more" }, (id) => {
    const mutations = kindsIn(run, id);
    expect(mutations.flatMap(({ name, kinds }) => (kinds.length === 0 ? [name] : []))).toEqual(
      unseen.filter((mutation) => mutation.startsWith(`${id}: `)),
    );
    expect(mutations.flatMap(({ name, kinds }) => (kinds.length > 1 ? [[name, kinds]] : []))).toEqual(
      Object.entries(several).filter(([mutation]) => mutation.startsWith(`${id}: `)),
    );
    const proofs = proofsOf(
      run,
      id,
      mutations.flatMap((mutation) => mutation.mutations),
    );
    expect(proofs.length).toBeGreaterThan(0);
    const unconfirmed = proofs.flatMap(({ mutation, confirmed }) => (confirmed === undefined ? [mutation] : []));
    // On a busy machine most questions have ended before they are polled twice. One kind of the edits of reads is enough.
    const ofReads = unconfirmed.filter((mutation) => mutation.includes(": goes back to an earlier state: "));
    expect(ofReads.length).toBeLessThan(Math.max(1, mutations.flatMap(({ kinds }) => kinds).length));
    expect(unconfirmed.filter((mutation) => !ofReads.includes(mutation))).toEqual(
      untimely.filter((mutation) => mutation.startsWith(`${id}: `)),
    );
    const edits = proofs.flatMap(({ confirmed }) => confirmed?.edit ?? []);
    expect(edits.filter((edit) => unchanged(edit, originals).length >= edit.replacements.length)).toEqual([]);
    expect(edits.filter(({ offset = 0 }) => !Number.isInteger(offset))).toEqual([]);
    for (const [came, edited] of edits.map((edit) => before(edit, originals))) {
      expect(edited).toBe(came);
    }
  });

  test.each(shown)("what one probe shows of %s is shown to be enough", { tags: "proof" }, async (id) => {
    parts ??= await partsOf();
    const idle = parts
      .filter((part) => isHeldIn(part, id) && !(comparesReads(id) && isReadOnce(part.exchanges)))
      .filter((part) => !proofsOf(part, id).some(({ confirmed }) => confirmed !== undefined));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });
});

/** The edits of the named mutations of a rule in the whole run. */
const editsOf = (id: RuleId, mutation: string): readonly Edit[] =>
  mutationsOf(id)
    .filter(({ name }) => name === mutation)
    .flatMap(({ edits }) => [...edits(whole.evidence)]);

const sameAs = ({ record }: RecordedExchange): RecordedExchange | undefined =>
  whole.bundle.exchanges.find((exchange) => exchange.record.id === record.id);

describe.each(["legacy", "current"] as const)(
  "a deleted conversation that is still there, in the interface %s,",
  (name) => {
    const stillThere = () => editsOf(`${name}/deleted-is-gone`, "returns a deleted conversation");

    test("leaves no observations", () => {
      const rules = whole.judged.conversations.rules.filter(({ id }) => id === `${name}/deleted-is-gone`);
      expect(
        stillThere().map((edit) => judgeEditedConversations(whole.judged, rules, edit).get(`${name}/deleted-is-gone`)),
      ).toEqual([
        expect.toSatisfy(
          // A slow machine records reads that are so late after the deletion that they fail.
          ({ observations, findings }: RuleOutcome) => observations === 0 || findings.length > 0,
          "shows nothing, or fails",
        ),
      ]);
    });

    test("is listed once, and the newest first", () => {
      const lists = stillThere().flatMap(({ replacements }) =>
        replacements.filter(({ record }) => record.operation === "list"),
      );
      expect(lists.length).toBeGreaterThan(0);
      for (const list of lists) {
        const [entries] = Object.values<Readonly<Record<string, string>>[]>(JSON.parse(bodyOf(list).toString()));
        const shown = entries?.map(({ id, name: own }) => id ?? own) ?? [];
        const changed = entries?.map(({ updated_at: at, update_time: other }) => Date.parse(at ?? other ?? "")) ?? [];
        expect(shown.length).toBeGreaterThan(1);
        expect([...new Set(shown)]).toEqual(shown);
        expect(changed.toSorted((one, other) => other - one)).toEqual(changed);
      }
    });
  },
);

/** The answers to reads with a token, with their addresses and without. */
const readWithToken = new Set(
  whole.bundle.exchanges
    .filter(({ record }) => record.operation === "get" && record.credential === "access-token")
    .filter(({ record }) => record.response?.status === 200)
    .flatMap((read) => [bodyOf(read).toString(), `${read.record.request.url} ${bodyOf(read).toString()}`]),
);

describe.each(["legacy", "current"] as const)("a call that should have been refused in the interface %s", (name) => {
  // The last call first, so that the same call is not the first one that was answered.
  const evidence = { ...whole.evidence, calls: whole.evidence.calls.toReversed() };
  const listReads = (mutations: readonly Mutation[], mutation: string): readonly RecordedExchange[] =>
    mutations
      .filter((each) => each.name === mutation)
      .flatMap(({ edits }) => [...edits(evidence)])
      .flatMap(({ replacements }) => replacements.filter(({ record }) => record.operation === "get"));

  test("gets the response to a call with a token", () => {
    const mutations = mutationsOf(`${name}/missing-token-is-refused`);
    const taken = listReads(mutations, "accepts calls without a token");
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((read) => !readWithToken.has(`${read.record.request.url} ${bodyOf(read).toString()}`))).toEqual(
      [],
    );
  });

  test("gets another conversation instead of an unknown one", () => {
    const mutations = [
      ...mutationsOf("legacy/unknown-id-is-not-found"),
      ...mutationsOf("current/unknown-name-is-refused"),
    ];
    const made = listReads(mutations, "returns a conversation that does not exist").filter(
      ({ record }) => record.interface === name,
    );
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter((read) => !readWithToken.has(bodyOf(read).toString()))).toEqual([]);
  });
});

test("an operation that the schema leaves out is the only one", () => {
  const left = mutationsOf("current/openapi-schema-describes-operations").flatMap(({ edits }) =>
    Array.from(edits(whole.evidence), ({ api }) => api),
  );
  const operations = ["create", "get", "list", "follow-up", "cancel", "delete"] as const;
  expect(
    left.map((api) => operations.filter((operation) => api?.operation("current", operation) === undefined)),
  ).toEqual(operations.map((operation) => [operation]));
});

test("what arrives in one burst, and what is named in another way, is all that was sent", () => {
  const burst = editsOf("stream/results-arrive-incrementally", "sends all of a slow search in one burst at its end");
  const named = editsOf("stream/chunk-match-has-context", "names it `content`");
  expect(Math.min(burst.length, named.length)).toBeGreaterThan(0);
  for (const exchange of [...burst, ...named].flatMap(({ replacements }) => replacements)) {
    const [edited, sent] = [exchange, sameAs(exchange)].map((each) =>
      bodyOf(each).toString().replaceAll('"content":', '"context":'),
    );
    expect(edited === sent).toBe(true);
  }
});
