import { failsRun, ruleStanding } from "@assay/results";
import type { ReasonToStop } from "@assay/runner";
import type { RunResults } from "./run-results.ts";

/** When a run is stopped, and by what it is judged. */
export interface BailOptions {
  /** Number of failed rules that stops the run. */
  readonly maxFailed: number;
  /** Whether a rule that warns fails as well. */
  readonly strict: boolean;
  /** Judges what was recorded until now. */
  readonly judge: RunResults["judge"];
  readonly nowMs: () => number;
}

/** Searches go on for three times as long as judging took, so that judging costs at most a quarter of the time. */
const restShare = 3;

/** Judges what a run has recorded before more is sent, always before questions are asked, and says why to stop. */
export function createBail({ maxFailed, strict, judge, nowMs }: BailOptions): ReasonToStop {
  let restsUntilMs = 0;
  return async (next) => {
    const begunMs = nowMs();
    if (next !== "questions" && begunMs < restsUntilMs) {
      return undefined;
    }
    const { result } = await judge();
    const endedMs = nowMs();
    restsUntilMs = endedMs + restShare * (endedMs - begunMs);
    // A known failure that does not show may do so in what is not recorded yet.
    const failed = result.verdicts
      .filter((rule) => failsRun(rule, strict) && ruleStanding(rule) !== "fixed")
      .map(({ rule }) => rule);
    return failed.length < maxFailed
      ? undefined
      : `--bail stopped the run, because ${failed.length === 1 ? "1 rule" : `${failed.length} rules`} failed: ${failed.join(", ")}`;
  };
}
