import { HarnessError, defined, isHarnessError } from "@assay/contract";
import type { HarnessErrorCode } from "@assay/contract";
import type { CleanFiles, Secret } from "@assay/evidence";
import type { JudgeProgress } from "@assay/runner";
import type { Worker } from "node:worker_threads";
import type { RecordedRun } from "./run-results.ts";

/** A request to the worker that computes the results of a run. */
export interface StepRequest {
  readonly step: "judgeSearches" | "readApi" | "judge" | "judgeShare" | "judgeCalls" | "write" | "removeLeaks";
  /** The run to judge. The steps after `judge` use the same run. */
  readonly run: Omit<RecordedRun, "onProgress" | "judgeInOtherThread" | "judgedSearches">;
  /** For `removeLeaks`, empty for other steps. */
  readonly secrets: readonly Secret[];
  /** Files that were already searched and contain no secret. */
  readonly cleanFiles: CleanFiles;
}

/** An error in a message between threads. Messages do not preserve the class of a value. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Code of a system error. */
  readonly code?: string;
  /** Set for a `HarnessError`. */
  readonly harness?: { readonly code: HarnessErrorCode; readonly sentence: string };
}

/** The result of a step. */
export type StepResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: SerializedError };

/** The result of a step, with its name, because a worker may be asked for two steps at once. */
export type StepAnswer<Value> = StepResult<Value> & Pick<StepRequest, "step">;

const copyErrorCode = (error: Error): Pick<SerializedError, "code"> =>
  "code" in error && typeof error.code === "string" ? { code: error.code } : {};

function serializeError(thrown: unknown): SerializedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack = "" } = error;
  return {
    name,
    message,
    stack,
    ...copyErrorCode(error),
    ...(isHarnessError(error) ? { harness: { code: error.code, sentence: error.sentence } } : {}),
  };
}

/** Sent while a step is running. */
export interface ProgressMessage {
  readonly progress: JudgeProgress;
}

/** Converts the result of work to a message. Never rejects. */
export const toStepResult = <Value>(work: Promise<Value>): Promise<StepResult<Value>> =>
  work.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: serializeError(error) }),
  );

/**
 * Returns the next answer of a worker [to one step], and passes progress messages to `onProgress` until then. Rejects if the worker fails
 * or exits instead.
 */
export function receiveAnswer<Value>(
  worker: Worker,
  { step, onProgress }: Partial<Pick<StepRequest, "step">> & Pick<RecordedRun, "onProgress"> = {},
): Promise<StepResult<Value>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: StepAnswer<Value> | ProgressMessage): void => {
      if ("progress" in message) {
        onProgress?.(message.progress);
      } else if (step === undefined || message.step === step) {
        settle(() => resolve(message));
      }
    };
    const onError = (error: unknown): void => settle(() => reject(error));
    const onExit = (): void => settle(() => reject(new Error("a thread exited without an answer")));
    // Listeners are removed one by one, because the worker has listeners of its own.
    const settle = (finish: () => void): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      finish();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    // A thread that has already exited emits nothing any more.
    if (worker.threadId === -1) {
      onExit();
    }
  });
}

/** Restores the error from the other thread. A `HarnessError` keeps its class, because it determines the exit code. */
export function restoreError({ harness, name, message, stack, code }: SerializedError): Error {
  if (harness !== undefined) {
    return new HarnessError(harness.code, harness.sentence);
  }
  const error = new Error(message);
  return Object.assign(error, { name, stack, ...defined({ code }) });
}
