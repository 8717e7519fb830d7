import { HarnessError, defined } from "@assay/contract";
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import type { CleanFiles, Secret } from "@assay/evidence";
import type { JudgingFacts, RecordedRun, RunResults, WrittenRun } from "./run-results.ts";
import type { OnJudgeProgress, OtherThread } from "@assay/runner";
import { receiveAnswer, restoreError, type StepRequest } from "./worker-messages.ts";

/** Built with the bundle of the command, because a worker starts from a compiled file. */
const compiledThreadUrl = new URL("../bundle/results-thread.js", import.meta.url);

/** Judging creates much short-lived garbage. A larger young generation would not make it faster. */
const maxYoungGenerationSizeMb = 16;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

function throwWorkerError(error: unknown): never {
  throw isOutOfMemory(error)
    ? new HarnessError(
        "unavailable",
        "judging needs more memory than Node allows here; the recording is kept: judge it with `NODE_OPTIONS=--max-old-space-size=4096 assay judge` and the run folder",
      )
    : error;
}

/**
 * Collects garbage. An idle thread does not do it by itself, and driving leaves about 100 MB of bodies in this thread while the worker
 * needs memory.
 */
function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") {
    collect();
  }
}

/** Settings of a worker. */
export interface ThreadOptions {
  readonly program?: URL;
  /** Memory for long-lived objects, in MiB. Default: Node's own limit. */
  readonly maxOldGenerationSizeMb?: number;
  readonly workerData?: typeof secondThread;
}

/** The `workerData` of a worker that helps another worker to judge. */
export const secondThread = "second-thread";

/** Asks a worker for a step. */
async function askWorker<Value>(worker: Worker, request: StepRequest, onProgress?: OnJudgeProgress): Promise<Value> {
  worker.postMessage(request, []);
  const { step } = request;
  const answer = await receiveAnswer<Value>(worker, { step, ...defined({ onProgress }) }).catch(throwWorkerError);
  if (answer.ok) {
    return answer.value;
  }
  throw restoreError(answer.error);
}

/** A worker that judges a part of a run. */
export interface SecondThread {
  /** Reads the OpenAPI document of a run that still sends calls, so that judging these takes less time. */
  readApi(run: StepRequest["run"]): void;
  /** Judges the calls of a run, and half of a large run, while this thread judges the rest. */
  judge(run: StepRequest["run"]): OtherThread;
}

/** Starts a second thread. */
export function startSecondThread(): SecondThread {
  const worker = startThread({ workerData: secondThread });
  const ask = <Value>(step: StepRequest["step"], run: StepRequest["run"]): Promise<Value> => {
    const answer = askWorker<Value>(worker, { step, run, secrets: [], cleanFiles: new Map() });
    // This thread waits for the answer after it has judged its own part. Until then, an error is not unhandled.
    answer.catch(() => undefined);
    return answer;
  };
  return {
    readApi: (run) => void ask("readApi", run),
    judge: (run) => ({ secondShare: ask("judgeShare", run), calls: ask("judgeCalls", run) }),
  };
}

const startThread = ({ program = compiledThreadUrl, maxOldGenerationSizeMb, workerData }: ThreadOptions = {}): Worker =>
  new Worker(program, {
    workerData,
    resourceLimits: {
      maxYoungGenerationSizeMb,
      ...defined({ maxOldGenerationSizeMb }),
    },
  });

/** Runs the steps in a worker. `close` terminates it, even in the middle of a step. */
function createWorkerResults(
  worker: Worker,
  { folder, baseline, confirmsPasses, out, onProgress }: RecordedRun,
): RunResults {
  // Only these members can be sent to a worker.
  const run: StepRequest["run"] = { folder, ...defined({ baseline, confirmsPasses, out }) };
  const ask = async <Value>(
    step: StepRequest["step"],
    secrets: readonly Secret[] = [],
    cleanFiles: CleanFiles = new Map(),
  ): Promise<Value> => askWorker(worker, { step, run, secrets, cleanFiles }, onProgress);
  return {
    judge: () => {
      const judging = ask<JudgingFacts>("judge");
      freeMemory();
      return judging;
    },
    write: () => ask<WrittenRun>("write"),
    removeLeaks: (secrets, cleanFiles) => ask<readonly string[]>("removeLeaks", secrets, cleanFiles),
    async close() {
      await worker.terminate();
    },
  };
}

/** Computes the results in a new worker. */
export const openResultsInWorker = (run: RecordedRun, options?: ThreadOptions): RunResults =>
  createWorkerResults(startThread(options), run);

/** Computes the results in this thread. Loads the code for that only now, because a command with a worker does not need it. */
function openResultsHere(run: RecordedRun): RunResults {
  const opening = import("./run-results.ts").then(({ openResultsInThisThread }) => openResultsInThisThread(run));
  return {
    judge: async () => (await opening).judge(),
    write: async () => (await opening).write(),
    removeLeaks: async (...input) => (await opening).removeLeaks(...input),
    close: async () => (await opening).close(),
  };
}

/** Computes the results of a run, in a worker or in this thread. */
export interface ResultsHost {
  open(run: RecordedRun): RunResults;
  /**
   * Judges the searches of a run that still sends calls, so that fewer are left at its end. Its results are the same without this. Does
   * nothing without a worker.
   */
  judgeSearches(folder: string): void;
  close(): Promise<void>;
}

/**
 * Starts a worker before a run is recorded, so that it loads its modules while this thread waits for responses. Without a compiled worker,
 * computes the results in this thread.
 */
export function prepareResultsHost(): ResultsHost {
  if (!existsSync(compiledThreadUrl)) {
    return { open: openResultsHere, judgeSearches: () => {}, close: () => Promise.resolve() };
  }
  const worker = startThread();
  let hasExited = false;
  const markExited = (): void => void (hasExited = true);
  worker.on("error", markExited).on("exit", markExited);
  return {
    // If the worker failed before its first step, a second worker fails with the reason.
    open: (run) => (hasExited ? openResultsInWorker(run) : createWorkerResults(worker, run)),
    judgeSearches(folder) {
      const request = { step: "judgeSearches", run: { folder }, secrets: [], cleanFiles: new Map() } as const;
      // After a failure, the searches are judged with the rest of the run.
      askWorker(worker, request).catch(() => undefined);
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** Computes the results of a recorded run, in a worker if there is a compiled one. */
export const openResults = (run: RecordedRun): RunResults => prepareResultsHost().open(run);
