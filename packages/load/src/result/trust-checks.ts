import type { LoadResult, TrustCheck } from "@assay/results";
import { checkBegun, checkCpu, checkDropped, checkStartLag, checkTimer } from "./generator-checks.ts";
import { checkArms, checkCompleted, checkEnough, checkFlat } from "./sample-checks.ts";
import type { TrustChecker, TrustFacts } from "./trust-facts.ts";

/** A check for each condition, in the order in which they are reported. */
export const trustCheckers: Readonly<Record<TrustCheck["check"], TrustChecker>> = {
  completed: checkCompleted,
  "dropped-iterations": checkDropped,
  "arrivals-begun": checkBegun,
  "start-lag": checkStartLag,
  "generator-cpu": checkCpu,
  "generator-timer": checkTimer,
  "enough-samples": checkEnough,
  "warm-up-is-flat": checkFlat,
  "arms-end-alike": checkArms,
};

/** Whether the figures of a run mean something: valid when no check says no. */
export const trustOf = (facts: TrustFacts): LoadResult["trust"] => {
  const checks = Object.values(trustCheckers).map((check) => check(facts));
  return { valid: checks.every(({ ok }) => ok !== false), checks };
};
