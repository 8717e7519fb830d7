import { parentPort } from "node:worker_threads";
import { answerOf } from "../run/thread-message.ts";
import { judgeKeptLoad, type KeptLoad } from "./judge-kept-load.ts";

// The program of the thread that judges the exchanges of a load, so that the main one stays free to hear of an interrupt.
parentPort?.on("message", (load: KeptLoad) => {
  void answerOf(judgeKeptLoad(load)).then((answer) => parentPort?.postMessage(answer, []));
});
