// xk6-sse, as its documentation has it used; without close() at the end and at an error it would leak or hang.
import sse from "k6/x/sse";
import { nextStream, nowMs, report } from "./common.js";

export { handleSummary, options } from "./common.js";

export default function () {
  const { id, url } = nextStream();
  let [events, first, isDone, problem] = [0, -1, false, ""];
  const start = nowMs();
  sse.open(url, { timeout: "60s" }, (client) => {
    client.on("event", (event) => {
      events += 1;
      if (first < 0 && event.name === "matches" && event.data.length > 2) {
        first = nowMs() - start;
      }
      if (event.name === "done") {
        isDone = true;
        client.close();
      }
    });
    client.on("error", (error) => {
      problem = String(error);
      client.close();
    });
  });
  report({ id, events, firstMatchMs: first, problem: isDone ? problem : `not done: ${problem}` });
}
