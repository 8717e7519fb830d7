import { parentPort } from "node:worker_threads";
import { pinnedApi } from "@assay/openapi";
import type { JudgeProgress } from "@assay/runner";
import { resultsHere, type RunResults } from "./run-results.ts";
import { answerOf, type Asked, type Going } from "./thread-message.ts";

// The program of the thread that makes the results of a run, so that the main one stays free to hear of an interrupt.
let results: RunResults | undefined;

/** A message for each exchange and rule is more than anybody sees. */
const toldEveryMs = 100;
let nextMs = 0;

function tellProgress(progress: JudgeProgress): void {
  if (performance.now() >= nextMs) {
    nextMs = performance.now() + toldEveryMs;
    parentPort?.postMessage({ progress } satisfies Going, []);
  }
}

const take = ({ clean, recorded, secrets, step }: Asked): Promise<unknown> => {
  // A run may be judged several times while it is recorded; what follows is about the last time.
  const current =
    step === "judge" || results === undefined ? resultsHere({ ...recorded, onProgress: tellProgress }) : results;
  results = current;
  switch (step) {
    case "judge":
      return current.judge();
    case "write":
      return current.write();
    case "removeLeaks":
      return current.removeLeaks(secrets, clean);
  }
};

parentPort?.on("message", (asked: Asked) => {
  void answerOf(take(asked)).then((answer) => parentPort?.postMessage(answer, []));
});

// Every run is judged by it, and compiling it takes a while: best done before anything is asked.
pinnedApi();
