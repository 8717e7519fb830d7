import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "@assay/contract";
import { readBundle, type Bundle } from "@assay/evidence";
import { pinnedApi } from "@assay/openapi";
import { findServedApi, judgeBundleCalls, judgeBundleSearches, judgeBundleShare } from "@assay/runner";
import type { JudgedSearches, JudgeProgress } from "@assay/runner";
import { secondThread, startSecondThread } from "./results-in-worker.ts";
import { openResultsInThisThread, type RunResults } from "./run-results.ts";
import { toStepResult, type ProgressMessage, type StepAnswer, type StepRequest } from "./worker-messages.ts";

// The worker that computes the results of a run, so that the main thread can react to an interrupt.
let results: RunResults | undefined;

// Judging runs most code only for a second or two. Node would spend as long on optimizing it [67584], on the cores of the two threads.
setFlagsFromString("--interrupt-budget=350000");

const otherThread = workerData === secondThread || availableParallelism() === 1 ? undefined : startSecondThread();
/** The run of which this thread judges a part. */
let sharedBundle: Promise<Bundle> | undefined;

/** The other thread compares the bodies of streams with their digests. It does not use this thread's share if one is damaged. */
const readSharedBundle = (folder: string): Promise<Bundle> =>
  readBundle(folder, {}, ({ interface: name }) => name !== "stream");

/** Minimum time between two progress messages. One message for each exchange and rule would be too many. */
const minProgressIntervalMs = 100;
let nextProgressMs = 0;

function sendProgress(progress: JudgeProgress): void {
  if (performance.now() >= nextProgressMs) {
    nextProgressMs = performance.now() + minProgressIntervalMs;
    parentPort?.postMessage({ progress } satisfies ProgressMessage, []);
  }
}

/** The searches of a run that still sends calls. */
interface EarlySearches {
  readonly folder: string;
  readonly judgedSearches: Promise<JudgedSearches | undefined>;
}

let earlySearches: EarlySearches | undefined;

async function judgeSearches(folder: string): Promise<JudgedSearches | undefined> {
  return judgeBundleSearches(await readBundle(folder, {}, ({ interface: name }) => name === "stream"));
}

/** With one thread, everything is judged together. */
function judgeEarly(run: StepRequest["run"]): void {
  if (otherThread !== undefined) {
    otherThread.readApi(run);
    const judgedSearches = judgeSearches(run.folder).catch(() => undefined);
    earlySearches = { folder: run.folder, judgedSearches };
  }
}

const openRun = (run: StepRequest["run"]): RunResults =>
  openResultsInThisThread({
    ...run,
    onProgress: sendProgress,
    ...(otherThread === undefined ? {} : { judgeInOtherThread: () => otherThread.judge(run) }),
    ...(earlySearches?.folder === run.folder ? { judgedSearches: earlySearches.judgedSearches } : {}),
  });

const runStep = async ({ cleanFiles, run, secrets, step }: StepRequest): Promise<unknown> => {
  if (step === "judgeSearches") {
    judgeEarly(run);
    return undefined;
  }
  if (step === "readApi") {
    const { exchanges } = await readBundle(run.folder, {}, ({ interface: name }) => name === "reference");
    await findServedApi(exchanges);
    return undefined;
  }
  if (step === "judgeShare") {
    sharedBundle = readSharedBundle(run.folder);
    return judgeBundleShare(await sharedBundle);
  }
  if (step === "judgeCalls") {
    const bundle = await (sharedBundle ?? readSharedBundle(run.folder));
    sharedBundle = undefined;
    return judgeBundleCalls(bundle, defined({ confirmsPasses: run.confirmsPasses }));
  }
  // A run may be judged several times while it is recorded. The other steps use the last result.
  const currentResults = step === "judge" || results === undefined ? openRun(run) : results;
  results = currentResults;
  switch (step) {
    case "judge":
      return currentResults.judge();
    case "write":
      return currentResults.write();
    case "removeLeaks":
      return currentResults.removeLeaks(secrets, cleanFiles);
  }
};

parentPort?.on("message", (request: StepRequest) => {
  const { step } = request;
  void toStepResult(runStep(request)).then((result) =>
    parentPort?.postMessage({ step, ...result } satisfies StepAnswer<unknown>, []),
  );
});

// Loaded while the run is recorded, because every run needs it.
if (workerData !== secondThread) {
  void import("../result-files.ts");
}

// Compiled before the first request, because compiling the specification takes a while and the calls of every run need it.
if (otherThread === undefined) {
  pinnedApi();
}
