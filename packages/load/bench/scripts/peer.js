// A client of the usual kind: each event is handed to JavaScript, nothing is parsed.
import { open } from "k6/x/peer";
import { nextStream, nowMs, report } from "./common.js";

export { handleSummary, options } from "./common.js";

export default function () {
  const { id, url } = nextStream();
  let [events, first, isDone] = [0, -1, false];
  const start = nowMs();
  const { error } = open(url, (event) => {
    events += 1;
    if (first < 0 && event.name === "matches" && event.data.length > 2) {
      first = nowMs() - start;
    }
    isDone = event.name === "done";
  });
  report({ id, events, firstMatchMs: first, problem: error === "" && isDone ? "" : `not done: ${error}` });
}
