import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuleVerdict } from "@assay/results";
import { judgedAlone, recordedRun } from "../testing/recorded-run.ts";
import type { RecordedRun } from "../testing/recorded-run.ts";

/**
 * Evidence in which a rule counts what could have been wrong, and no counterexample shows it: rules by probe. The rule is then not
 * observed, and says what it takes.
 */
const exceptions: readonly {
  readonly because: string;
  readonly rules: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    because: "what a question becomes that nobody cancelled is taken from another conversation, and there is none",
    rules: { cancel: ["legacy/cancel-has-effect", "current/cancel-has-effect"] },
  },
  {
    because:
      "where a cancellation leads is left open, so that the state shown after it excuses what an edit makes of it",
    rules: {
      cancel: ["current/finished-answer-is-stable", "legacy/reads-are-current", "legacy/status-transitions-are-listed"],
      "cancel-by-others": ["current/reads-are-current", "current/state-transitions-are-listed"],
    },
  },
  {
    because: "one read was made before a follow-up and one after it, and the follow-up leads back to work",
    rules: { "read-token": ["current/reads-are-current"], "write-token": ["current/reads-are-current"] },
  },
];

/** A rule that counted opportunities, and none of whose counterexamples made it speak. */
const isWithoutPower = ({ verdict, proof = [] }: RuleVerdict): boolean =>
  verdict.outcome === "not-observed" && proof.length > 0 && proof.every(({ proven }) => proven === undefined);

describe("what the requests of one probe alone show", () => {
  let run: RecordedRun;
  const found: string[] = [];

  beforeAll(async () => {
    run = await recordedRun();
    const { exchanges } = run.bundle;
    for (const probe of new Set(exchanges.map(({ record }) => record.probe))) {
      const own = exchanges.filter(({ record }) => record.probe === probe);
      const { result } = await judgedAlone(run.bundle, own, { proves: true });
      found.push(...result.verdicts.filter(isWithoutPower).map(({ rule }) => `${rule} by ${probe}`));
    }
  });
  afterAll(() => run.close());

  test("is counted by a rule only where it could have failed, but for what is named", () => {
    expect(found.toSorted()).toEqual(
      exceptions
        .flatMap(({ rules }) => Object.entries(rules))
        .flatMap(([probe, ids]) => ids.map((id) => `${id} by ${probe}`))
        .toSorted(),
    );
  });
});
