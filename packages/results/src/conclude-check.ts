import { exitCodeOf, type ExitCode, outcomePrecedence } from "./exit-codes.ts";
import type { RunOutcome } from "./outcome.ts";
import type { RunResult } from "./run-result.ts";

/** The verdict of `assay check` about one recording, in its words. */
export type FileStanding = "passed" | "failed" | "not tested";

/** The standing of one judged recording: a result that is neither passed nor failed leaves it not tested. */
export const fileStanding = ({ outcome }: Pick<RunResult, "outcome">): FileStanding => {
  if (outcome === "passed") {
    return "passed";
  }
  return outcome === "failed" ? "failed" : "not tested";
};

/**
 * How a check of several recordings ends: as its most severe result does, by the precedence of outcomes. Without any recording
 * it is incomplete.
 */
export const concludeCheck = (
  results: readonly Pick<RunResult, "outcome" | "exitCode">[],
): { readonly outcome: RunOutcome; readonly exitCode: ExitCode } => {
  const seen = new Set(results.map(({ outcome }) => outcome));
  const outcome = outcomePrecedence.find((candidate) => seen.has(candidate)) ?? "incomplete";
  const terminated = results.some(({ exitCode }) => exitCode === 143);
  return { outcome, exitCode: exitCodeOf(outcome, terminated ? "SIGTERM" : "SIGINT") };
};
