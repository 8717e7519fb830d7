import { counted } from "@assay/contract";
import { failsRun, ruleStanding } from "@assay/results";
import type { ReasonToStop } from "@assay/runner";
import type { RunResults } from "./run-results.ts";

/** Conditions for stopping a run early. */
export interface BailOptions {
  /** Number of failed rules that stops the run. */
  readonly maxFailed: number;
  /** Whether warnings are failures. */
  readonly strict: boolean;
  /** Judges the exchanges recorded so far. */
  readonly judge: RunResults["judge"];
  readonly nowMs: () => number;
}

/** After judging, searches continue for three times as long as it took, so that judging takes at most a quarter of the time. */
const searchTimeFactor = 3;

/** Judges a run between requests, and always before questions are asked. Returns the reason to stop. */
export function createBail({ maxFailed, strict, judge, nowMs }: BailOptions): ReasonToStop {
  let nextJudgingMs = 0;
  return async (nextStep) => {
    const startedMs = nowMs();
    if (nextStep !== "questions" && startedMs < nextJudgingMs) {
      return undefined;
    }
    const { result } = await judge();
    const endedMs = nowMs();
    nextJudgingMs = endedMs + searchTimeFactor * (endedMs - startedMs);
    // A known failure that has not occurred may still occur later in the run.
    const failedRules = result.verdicts
      .filter((rule) => failsRun(rule, strict) && ruleStanding(rule) !== "fixed")
      .map(({ rule }) => rule);
    return failedRules.length < maxFailed
      ? undefined
      : `--bail stopped the run, because ${counted(failedRules.length, "rule")} failed: ${failedRules.join(", ")}`;
  };
}
