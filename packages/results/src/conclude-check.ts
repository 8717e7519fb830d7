import { exitCodeOf, type ExitCode, outcomePrecedence } from "./exit-codes.ts";
import type { RunOutcome } from "./outcome.ts";
import type { RunResult } from "./run-result.ts";

/** The verdict of `assay check` on one recording. */
export type FileStanding = "passed" | "failed" | "not tested";

/** The standing of one judged recording: not tested unless it passed or failed. */
export const fileStanding = ({ outcome }: Pick<RunResult, "outcome">): FileStanding => {
  if (outcome === "passed") {
    return "passed";
  }
  return outcome === "failed" ? "failed" : "not tested";
};

/**
 * How a check of several recordings ends: with the most severe outcome. A check without recordings is incomplete.
 */
export const concludeCheck = (
  results: readonly Pick<RunResult, "outcome" | "exitCode">[],
): { readonly outcome: RunOutcome; readonly exitCode: ExitCode } => {
  const seen = new Set(results.map(({ outcome }) => outcome));
  const outcome = outcomePrecedence.find((candidate) => seen.has(candidate)) ?? "incomplete";
  const terminated = results.some(({ exitCode }) => exitCode === 143);
  return { outcome, exitCode: exitCodeOf(outcome, terminated ? "SIGTERM" : "SIGINT") };
};
