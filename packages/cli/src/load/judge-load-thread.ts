import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { answerOf } from "../run/thread-message.ts";
import { type AskedOfJudge, followKeptLoad, judgeKeptLoad } from "./judge-kept-load.ts";

let endFollowing: ReturnType<typeof followKeptLoad> | undefined;

/** What makes the load comes before this thread. Elsewhere the priority would be that of the whole process. */
function giveWay(): void {
  if (process.platform === "linux") {
    try {
      setPriority(0, 10);
    } catch {
      // A system that does not allow it shares the processor as it likes.
    }
  }
}

// The program of the thread that judges the exchanges of a load, so that the main one stays free to hear of an interrupt.
parentPort?.on("message", (asked: AskedOfJudge) => {
  if (asked.step === "follow") {
    giveWay();
    endFollowing = followKeptLoad(asked.load);
    return;
  }
  void answerOf(judgeKeptLoad(asked.load, endFollowing?.())).then((answer) => parentPort?.postMessage(answer, []));
});
