import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { toStepResult } from "../run/worker-messages.ts";
import { type JudgeRequest, followKeptLoad, judgeKeptLoad } from "./judge-kept-exchanges.ts";

let endFollowing: ReturnType<typeof followKeptLoad> | undefined;

/** Gives k6 priority over this thread. On other systems this would change the whole process. */
function lowerPriority(): void {
  if (process.platform === "linux") {
    try {
      setPriority(0, 10);
    } catch {
      // Not permitted on this system.
    }
  }
}

// The program of the judging thread, which leaves the main thread free for interrupts.
parentPort?.on("message", (request: JudgeRequest) => {
  if (request.step === "follow") {
    lowerPriority();
    endFollowing = followKeptLoad(request.load);
    return;
  }
  void toStepResult(judgeKeptLoad(request.load, endFollowing?.())).then((answer) =>
    parentPort?.postMessage(answer, []),
  );
});
