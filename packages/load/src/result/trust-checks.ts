import type { LoadResult, TrustCheck } from "@assay/results";
import { checkArrivalsBegun, checkCpu, checkDroppedIterations, checkStartLag, checkTimer } from "./generator-checks.ts";
import { checkFailureBalance, checkCompleted, checkSampleCounts, checkWarmup } from "./sample-checks.ts";
import type { TrustChecker, TrustFacts } from "./trust-facts.ts";

/** The checks in the order of the report. */
export const trustCheckers: Readonly<Record<TrustCheck["check"], TrustChecker>> = {
  completed: checkCompleted,
  "dropped-iterations": checkDroppedIterations,
  "arrivals-begun": checkArrivalsBegun,
  "start-lag": checkStartLag,
  "generator-cpu": checkCpu,
  "generator-timer": checkTimer,
  "enough-samples": checkSampleCounts,
  "warm-up-is-flat": checkWarmup,
  "sides-end-alike": checkFailureBalance,
};

/** Checks whether the figures of a run can be trusted. Valid if no check failed. */
export const checkTrust = (facts: TrustFacts): LoadResult["trust"] => {
  const checks = Object.values(trustCheckers).map((check) => check(facts));
  return { valid: checks.every(({ ok }) => ok !== false), checks };
};
