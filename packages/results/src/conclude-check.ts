import { exitCodeOf, type ExitCode, outcomePrecedence } from "./exit-codes.ts";
import type { RunOutcome } from "./outcome.ts";
import type { RunResult } from "./run-result.ts";

/** What judging one recording came to, in the words of `assay check`. */
export type FileStanding = "conforms" | "violates" | "could not be judged";

/** The standing of one judged recording: only a passed result conforms, only a failed one violates. */
export const fileStanding = ({ outcome }: Pick<RunResult, "outcome">): FileStanding => {
  if (outcome === "passed") {
    return "conforms";
  }
  return outcome === "failed" ? "violates" : "could not be judged";
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
