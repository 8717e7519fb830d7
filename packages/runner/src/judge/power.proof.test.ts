/** @module-tag proof */

import { isConversationRuleId, ruleIds, ruleRecord } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuleVerdict } from "@assay/results";
import { comparesReads, judgedAlone, recordedRun } from "../testing/recorded-run.ts";
import type { RecordedRun } from "../testing/recorded-run.ts";
import { collectPassedRules } from "./judge-exchanges.ts";
import { proveRules } from "./prove-rules.ts";

/**
 * Evidence in which a rule has observations but no counterexample: rules by probe. The rule is then not tested and reports what it
 * needs.
 */
const exceptions: readonly {
  readonly because: string;
  readonly rules: Readonly<Record<string, readonly string[]>>;
  /** Whether it depends on the time of a poll, so that not every recording has it. */
  readonly isTimed?: true;
}[] = [
  {
    isTimed: true,
    because: "what a question becomes that nobody cancelled is taken from another conversation, and there is none",
    rules: { cancel: ["legacy/cancel-has-effect", "current/cancel-has-effect"] },
  },
  {
    because:
      "a search with `display` shows fewer files than its filters count, so that a wrong count shows nothing there",
    rules: {
      "parameter-display-few": ["stream/filter-count-fits-matches"],
    },
  },
  {
    because: "that a server error is the answer each time is known by other requests that are served before and after",
    rules: {
      "invalid-token": ["current/refusal-is-no-server-error"],
      "missing-question": ["current/refusal-is-no-server-error"],
      "missing-token": ["current/refusal-is-no-server-error"],
      "not-json": ["current/refusal-is-no-server-error"],
      "question-no-text": ["current/refusal-is-no-server-error"],
      "read-after-delete": ["current/refusal-is-no-server-error"],
      "read-token-write": ["current/refusal-is-no-server-error"],
      "unscoped-token": ["current/refusal-is-no-server-error"],
      "unknown-id": ["current/refusal-is-no-server-error", "legacy/refusal-is-no-server-error"],
    },
  },
  {
    because:
      "where a cancellation leads is left open, so that the state shown after it excuses what an edit makes of it",
    rules: {
      "cancel-follow-up": ["current/finished-answer-is-stable"],
      cancel: ["current/finished-answer-is-stable"],
    },
  },
  {
    isTimed: true,
    because: "what a list without the filter would have shown is another answer than those that are there",
    rules: {
      "list-filter-id": ["legacy/filter-id-filters"],
      "list-filter-user-id": ["legacy/filter-id-filters"],
    },
  },
];

/** A rule with observations that failed on none of its counterexamples. */
const isWithoutPower = ({ verdict, proof = [] }: RuleVerdict): boolean =>
  verdict.outcome === "not-tested" && proof.length > 0 && proof.every(({ confirmed }) => confirmed === undefined);

describe("what the requests of one probe alone show", () => {
  let run: RecordedRun;
  const found: string[] = [];

  beforeAll(async () => {
    run = await recordedRun();
    const { exchanges } = run.bundle;
    for (const probe of new Set(exchanges.map(({ record }) => record.probe))) {
      const own = exchanges.filter(({ record }) => record.probe === probe);
      const { result } = await judgedAlone(run.bundle, own, { confirmsPasses: true });
      // A probe alone shows too few reads if the question had ended before the first poll, or if a cancellation or a follow-up came
      // between two of them and may lead to any state. Both depend on when questions are polled.
      const powerless = result.verdicts.filter((verdict) => isWithoutPower(verdict) && !comparesReads(verdict.rule));
      found.push(...powerless.map(({ rule }) => `${rule} by ${probe}`));
    }
  });
  afterAll(() => run.close());

  test("is counted by a rule only if it could have failed, with the listed exceptions", () => {
    const named = (isTimed: boolean): readonly string[] =>
      exceptions
        .filter((exception) => (exception.isTimed === true) === isTimed)
        .flatMap(({ rules }) => Object.entries(rules))
        .flatMap(([probe, ids]) => ids.map((id) => `${id} by ${probe}`));
    const timed = new Set(named(true));
    expect(found.filter((each) => !timed.has(each)).toSorted()).toEqual(named(false).toSorted());
  });
});

describe("the requests that a rule about conversations needs", () => {
  let run: RecordedRun;

  beforeAll(async () => {
    run = await recordedRun();
  });
  afterAll(() => run.close());

  test("are enough to show that it could have failed if only they are sent", async () => {
    const lacking: string[] = [];
    for (const id of ruleIds.filter(isConversationRuleId)) {
      const asked = new Set<string>([...ruleRecord(id).probes, "openapi"]);
      const own = run.bundle.exchanges.filter(({ record }) => asked.has(record.probe));
      const { judged, result } = await judgedAlone(run.bundle, own, { confirmsPasses: false });
      const proofs = proveRules(
        judged,
        new Map([...collectPassedRules(result.verdicts)].filter(([rule]) => rule === id)),
      );
      const unproven = (proofs.get(id) ?? []).filter((proof) => proof.confirmed === undefined && !proof.isOptional);
      lacking.push(...unproven.map(({ mutation }) => `${id}: ${mutation}`));
    }
    expect(lacking).toEqual([]);
  });
});
