import { inspect } from "node:util";
import { ClientError } from "@assay/client";
import { EvidenceError, visibleText } from "@assay/evidence";
import type { EvidenceErrorCode } from "@assay/evidence";
import { BaselineError, K6Error, LoadError } from "@assay/load";
import { ServerStartError } from "@assay/reference-server";
import { exitCodeOf } from "@assay/results";
import type { RunOutcome } from "@assay/results";
import { RunnerError } from "@assay/runner";
import { ScenarioError } from "@assay/scenarios";

/** A mistake in how a command was called; the message is the sentence to show. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something that the command was told to use was not available; nothing was learned. The message is the sentence to show. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** What the user is told about an error, and how the process ends. */
export interface ShownError {
  readonly sentence: string;
  readonly exitCode: number;
  /** Where a bug is, in lines, when the user asked for it. */
  readonly trace?: string;
}

const shownTrace = (text: string): string =>
  text
    .split("\n")
    .map((line) => `${visibleText(line, 300)}\n`)
    .join("");

/** Failures of the disk that no other call would get past. */
const diskFailures: ReadonlySet<EvidenceErrorCode> = new Set([
  "disk-full",
  "disk-failed",
  "folder-removed",
  "writer-closed",
  "duplicate-exchange",
]);

const mistakes = [
  UsageError,
  RunnerError,
  ClientError,
  ServerStartError,
  ScenarioError,
  K6Error,
  LoadError,
  BaselineError,
] as const;

function outcomeOf(error: unknown): Extract<RunOutcome, "usage-error" | "harness-error" | "incomplete"> | undefined {
  if (error instanceof UnavailableError || (error instanceof RunnerError && error.code === "empty-selection")) {
    return "incomplete";
  }
  if (error instanceof EvidenceError) {
    return diskFailures.has(error.code) ? "harness-error" : "usage-error";
  }
  return mistakes.some((kind) => error instanceof kind) ? "usage-error" : undefined;
}

/** Too many open files are no bug: somebody allows too few. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");

/** One sentence and the documented exit code for anything that was thrown; what nobody foresaw is a bug of the harness. */
export function shownError(error: unknown, env: NodeJS.ProcessEnv): ShownError {
  const outcome = outcomeOf(error);
  if (outcome !== undefined && error instanceof Error) {
    return { sentence: error.message, exitCode: exitCodeOf(outcome) };
  }
  if (isOutOfFiles(error)) {
    const sentence = "too many files are open; allow more, such as with `ulimit -n 1024`";
    return { sentence, exitCode: exitCodeOf("usage-error") };
  }
  const text = typeof error === "string" ? error : inspect(error, { depth: 0 });
  const what = error instanceof Error ? `${error.name}: ${error.message}` : text;
  const sentence = `this is a bug in assay: ${what}; set ASSAY_DEBUG=1 to see where, and please report it`;
  const exitCode = exitCodeOf("harness-error");
  return env["ASSAY_DEBUG"] === undefined ? { sentence, exitCode } : { sentence, exitCode, trace: shownTrace(text) };
}
