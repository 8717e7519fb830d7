import { type IncompleteReason, type LoadOutcome, loadOutcomes, type LoadResult } from "@assay/results";
import type { K6End } from "../k6/k6-end.ts";
import { isNeutral } from "./sample-latencies.ts";

/** What the reasons of a run follow from. */
export interface ReasonFacts {
  readonly trust: LoadResult["trust"];
  readonly outcomes: LoadResult["outcomes"];
  /** Of the warm-up: a run that ended in it has nothing else to say. */
  readonly warmup?: LoadResult["outcomes"];
  readonly target: string;
  /** What the scenario is for, when none of it was seen although streams ended well; absent where all was seen. */
  readonly unseen?: string;
  readonly end?: K6End;
}

const totalOf = (outcomes: LoadResult["outcomes"], outcome: LoadOutcome): number =>
  Object.values(outcomes).reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);

const triedOf = (outcomes: LoadResult["outcomes"]): number =>
  loadOutcomes.reduce((sum, name) => sum + (isNeutral(name) ? 0 : totalOf(outcomes, name)), 0);

/** With one of these, nothing was measured at all, and why is known. */
const rootReason = ({ outcomes: measured, warmup = {}, target }: ReasonFacts): readonly IncompleteReason[] => {
  const outcomes = triedOf(measured) === 0 ? warmup : measured;
  const tried = triedOf(outcomes);
  if (tried === 0) {
    return [];
  }
  if (totalOf(outcomes, "refused") === tried) {
    return [
      {
        code: "authentication-refused",
        message: `${target} refused all ${tried} requests (401 or 403); check the token`,
      },
    ];
  }
  return totalOf(outcomes, "transport") === tried
    ? [{ code: "unreachable", message: `none of ${tried} requests got through to ${target}; check the address` }]
    : [];
};

const limitReason = ({ outcomes }: ReasonFacts): readonly IncompleteReason[] => {
  const count = totalOf(outcomes, "limit");
  return count === 0
    ? []
    : [
        {
          code: "limit",
          message: `${count} streams went beyond a limit of the harness and were not judged to their end`,
        },
      ];
};

/** A run that never saw what it is about says nothing, however well all of it went. */
const unseenReason = ({ unseen }: ReasonFacts): readonly IncompleteReason[] =>
  unseen === undefined ? [] : [{ code: "nothing-observed", message: unseen }];

const completedCode = (end: K6End | undefined): IncompleteReason["code"] => {
  if (end?.cause === "deadline") {
    return "deadline";
  }
  return end?.cause === "distress" ? "invalid-load" : "evidence-incomplete";
};

const trustReasons = ({ trust, end }: ReasonFacts): readonly IncompleteReason[] =>
  trust.checks
    .filter(({ ok }) => ok === false)
    .map(({ check, sentence }) => ({
      code: check === "completed" ? completedCode(end) : "invalid-load",
      message: sentence,
    }));

/** Why the figures of a run mean nothing; the reason that explains the others first. */
export const loadReasons = (facts: ReasonFacts): readonly IncompleteReason[] => [
  ...rootReason(facts),
  ...unseenReason(facts),
  ...trustReasons(facts),
  ...limitReason(facts),
];
