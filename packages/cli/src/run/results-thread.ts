import { parentPort } from "node:worker_threads";
import { pinnedApi } from "@assay/openapi";
import type { JudgeProgress } from "@assay/runner";
import { openResultsInThisThread, type RunResults } from "./run-results.ts";
import { toStepResult, type ProgressMessage, type StepRequest } from "./worker-messages.ts";

// The worker that computes the results of a run, so that the main thread can react to an interrupt.
let results: RunResults | undefined;

/** Minimum time between two progress messages. One message for each exchange and rule would be too many. */
const minProgressIntervalMs = 100;
let nextProgressMs = 0;

function sendProgress(progress: JudgeProgress): void {
  if (performance.now() >= nextProgressMs) {
    nextProgressMs = performance.now() + minProgressIntervalMs;
    parentPort?.postMessage({ progress } satisfies ProgressMessage, []);
  }
}

const runStep = ({ cleanFiles, run, secrets, step }: StepRequest): Promise<unknown> => {
  // A run may be judged several times while it is recorded. The other steps use the last result.
  const currentResults =
    step === "judge" || results === undefined ? openResultsInThisThread({ ...run, onProgress: sendProgress }) : results;
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
  void toStepResult(runStep(request)).then((answer) => parentPort?.postMessage(answer, []));
});

// Compiled before the first request, because compiling the specification takes a while and every run needs it.
pinnedApi();
