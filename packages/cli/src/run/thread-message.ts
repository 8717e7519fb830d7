import { HarnessError, defined, isHarnessError } from "@assay/contract";
import type { HarnessErrorCode } from "@assay/contract";
import type { CleanFiles, Secret } from "@assay/evidence";
import type { JudgeProgress } from "@assay/runner";
import type { RecordedRun } from "./run-results.ts";

/** What the thread that makes the results of a run is asked to do. */
export interface Asked {
  readonly step: "judge" | "write" | "removeLeaks";
  /** Of `judge`, what is judged; the steps after it are about the same. */
  readonly recorded: Omit<RecordedRun, "onProgress">;
  /** What files are searched for; other steps do without. */
  readonly secrets: readonly Secret[];
  /** Files that need not be read again. */
  readonly clean: CleanFiles;
}

/** An error as it goes from one thread to another, where the class of a thrown value is lost. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Of a failure of the system. */
  readonly code?: string;
  /** Of an error that is no bug, with its sentence. */
  readonly harness?: { readonly code: HarnessErrorCode; readonly sentence: string };
}

/** How a step ended. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: SentError };

const codeOf = (error: Error): Pick<SentError, "code"> =>
  "code" in error && typeof error.code === "string" ? { code: error.code } : {};

function sent(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack = "" } = error;
  return {
    name,
    message,
    stack,
    ...codeOf(error),
    ...(isHarnessError(error) ? { harness: { code: error.code, sentence: error.sentence } } : {}),
  };
}

/** What is sent while a step goes on. */
export interface Going {
  readonly progress: JudgeProgress;
}

/** What is sent back of a step. Never fails. */
export const answerOf = <Value>(work: Promise<Value>): Promise<Answer<Value>> =>
  work.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: sent(error) }),
  );

/** The error that was thrown in the other thread, of the class that it had where that says how a command ends. */
export function receivedError({ harness, name, message, stack, code }: SentError): Error {
  if (harness !== undefined) {
    return new HarnessError(harness.code, harness.sentence);
  }
  const error = new Error(message);
  return Object.assign(error, { name, stack, ...defined({ code }) });
}
