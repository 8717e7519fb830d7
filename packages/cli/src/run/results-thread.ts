import { parentPort, workerData } from "node:worker_threads";
import { type RecordedRun, resultsHere } from "./run-results.ts";
import { answerOf, type Asked } from "./thread-message.ts";

// The program of the thread that makes the results of a run, so that the main one stays free to hear of an interrupt.
const recorded: RecordedRun = workerData;
const results = resultsHere(recorded);

const take = ({ step, secrets }: Asked): Promise<unknown> => {
  switch (step) {
    case "judge":
      return results.judge();
    case "write":
      return results.write();
    case "removeLeaks":
      return results.removeLeaks(secrets);
  }
};

parentPort?.on("message", (asked: Asked) => {
  void answerOf(take(asked)).then((answer) => parentPort?.postMessage(answer, []));
});
