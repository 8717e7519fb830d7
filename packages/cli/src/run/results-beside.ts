import { HarnessError, defined } from "@assay/contract";
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import type { CleanFiles, Secret } from "@assay/evidence";
import { type JudgedFacts, type RecordedRun, resultsHere, type RunResults, type WrittenRun } from "./run-results.ts";
import type { OnJudgeProgress } from "@assay/runner";
import { type Answer, type Asked, type Going, receivedError } from "./thread-message.ts";

/** Made with the command of the compiled packages: a thread is started by file name, and sources are no program. */
const compiledThread = new URL("../bundle/results-thread.js", import.meta.url);

/** Judging makes much garbage and keeps little: of a larger part for what is new nothing would become faster. */
const maxYoungGenerationSizeMb = 16;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const brokenBy = (error: unknown): unknown =>
  isOutOfMemory(error)
    ? new HarnessError(
        "unavailable",
        "judging needs more memory than Node takes here; what was recorded is kept: `NODE_OPTIONS=--max-old-space-size=4096 assay judge` with the folder of the run judges it",
      )
    : error;

/** The next answer of a thread, which may tell its progress before. Fails where it breaks or ends instead. */
function answered<Value>(worker: Worker, onProgress?: OnJudgeProgress): Promise<Answer<Value>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Answer<Value> | Going): void =>
      "progress" in message ? onProgress?.(message.progress) : settle(() => resolve(message));
    const onError = (error: unknown): void => settle(() => reject(brokenBy(error)));
    const onExit = (): void => settle(() => reject(new Error("the thread that judges ended without an answer")));
    // One by one: the worker listens to itself, too.
    const settle = (end: () => void): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      end();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/**
 * Gives back what is no longer used. A thread that waits collects no garbage, and that of driving is a hundred megabytes of
 * bodies, which would stand beside what another thread needs.
 */
function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") {
    collect();
  }
}

/** What a thread is made of. */
export interface ThreadOptions {
  readonly program?: URL;
  /** Memory for what lasts, in MiB [what Node allows]. */
  readonly maxOldGenerationSizeMb?: number;
}

const startThread = ({ program = compiledThread, maxOldGenerationSizeMb }: ThreadOptions = {}): Worker =>
  new Worker(program, {
    resourceLimits: {
      maxYoungGenerationSizeMb,
      ...defined({ maxOldGenerationSizeMb }),
    },
  });

/** The steps in a thread of their own, which a call of `close` ends in the middle of any work. */
function resultsIn(worker: Worker, { folder, before, proves, out, onProgress }: RecordedRun): RunResults {
  // Nothing else of what is handed over: not all of it may go to another thread.
  const recorded: Asked["recorded"] = { folder, ...defined({ before, proves, out }) };
  const ask = async <Value>(
    step: Asked["step"],
    secrets: readonly Secret[] = [],
    clean: CleanFiles = new Map(),
  ): Promise<Value> => {
    worker.postMessage({ step, recorded, secrets, clean } satisfies Asked, []);
    const answer = await answered<Value>(worker, onProgress);
    if (answer.ok) {
      return answer.value;
    }
    throw receivedError(answer.error);
  };
  return {
    judge: () => {
      const judged = ask<JudgedFacts>("judge");
      freeMemory();
      return judged;
    },
    write: () => ask<WrittenRun>("write"),
    removeLeaks: (secrets, clean) => ask<readonly string[]>("removeLeaks", secrets, clean),
    async close() {
      await worker.terminate();
    },
  };
}

/** The same in a thread that is started now. */
export const resultsBeside = (recorded: RecordedRun, options?: ThreadOptions): RunResults =>
  resultsIn(startThread(options), recorded);

/** Where the results of a run will be made. */
export interface ResultsPlace {
  open(recorded: RecordedRun): RunResults;
  close(): Promise<void>;
}

/**
 * Makes ready for the results of a run that is still to be recorded: a thread beside this one, where the program of one is there,
 * loads what it needs while this one waits for answers.
 */
export function prepareResults(): ResultsPlace {
  if (!existsSync(compiledThread)) {
    return { open: resultsHere, close: () => Promise.resolve() };
  }
  const worker = startThread();
  let isOver = false;
  const end = (): void => void (isOver = true);
  worker.on("error", end).on("exit", end);
  return {
    // One that broke before it was asked anything is followed by another, which says why.
    open: (recorded) => (isOver ? resultsBeside(recorded) : resultsIn(worker, recorded)),
    async close() {
      await worker.terminate();
    },
  };
}

/** What makes the results of a run that is recorded: a thread beside this one where the program of one is there. */
export const openResults = (recorded: RecordedRun): RunResults => prepareResults().open(recorded);
