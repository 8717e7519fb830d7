import { counted, firstNames } from "@assay/contract";
import { exitCodeOf, outcomePrecedence, type ExitCode, type InterruptSignal } from "./exit-codes.ts";
import type { RunOutcome } from "./outcome.ts";
import type { IncompleteReason, RunResult } from "./run-result.ts";

/** The outcome and exit code of a command, and its summary: one sentence without a full stop. */
export interface Ending {
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  readonly summary: string;
}

/** Returns, for each outcome of a command, its summary if the facts lead to it, or undefined. The order makes no difference. */
export type Endings<Facts> = Readonly<
  Partial<Record<Exclude<RunOutcome, "passed">, (facts: Facts) => string | undefined>>
> & { readonly passed: (facts: Facts) => string };

/**
 * Decides how a command ends: with the outcome of the highest precedence that has a summary; passed if none has one. `signal` is the signal
 * of an interruption. Default: SIGINT.
 */
export const conclude = <Facts>(endings: Endings<Facts>, facts: Facts, signal?: InterruptSignal): Ending => {
  for (const outcome of outcomePrecedence) {
    const summary = endings[outcome]?.(facts);
    if (summary !== undefined) {
      return { outcome, exitCode: exitCodeOf(outcome, signal), summary };
    }
  }
  return { outcome: "passed", exitCode: 0, summary: endings.passed(facts) };
};

/** Endings for errors of Assay and of the user, which are not verdicts on the target. */
export const errorEndings = {
  "harness-error": ({ harnessError }) =>
    harnessError === undefined ? undefined : `a bug in the harness, not in the target: ${harnessError}`,
  "usage-error": ({ usageError }) => usageError,
} satisfies Partial<Endings<{ readonly harnessError?: string; readonly usageError?: string }>>;

/** Formats the first reason and the number of others. Undefined if there is none. */
export const describeReasons = ([firstReason, ...others]: readonly IncompleteReason[]): string | undefined => {
  const moreText = others.length === 0 ? "" : ` (${counted(others.length, "more reason")})`;
  return firstReason && `${firstReason.message}${moreText}`;
};

/** Formats the first three names and the number of others. */
export const formatNames = (names: readonly string[]): string => firstNames(names, 3).join(", ");

/** The verdict of `assay check` on one recording. */
export type FileStanding = "passed" | "failed" | "not tested";

/** Returns the standing of one judged recording: not tested unless it passed or failed. */
export const getFileStanding = ({ outcome }: Pick<RunResult, "outcome">): FileStanding =>
  outcome === "passed" || outcome === "failed" ? outcome : "not tested";

/** Concludes a check of several recordings with the most severe outcome. A check without recordings is incomplete. */
export const concludeCheck = (
  results: readonly Pick<RunResult, "outcome" | "exitCode">[],
): Pick<Ending, "outcome" | "exitCode"> => {
  const outcome =
    outcomePrecedence.find((candidate) => results.some((result) => result.outcome === candidate)) ?? "incomplete";
  const isTerminated = results.some(({ exitCode }) => exitCode === 143);
  return { outcome, exitCode: exitCodeOf(outcome, isTerminated ? "SIGTERM" : "SIGINT") };
};
