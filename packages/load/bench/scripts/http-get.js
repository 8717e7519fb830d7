// Stock k6: the body is there when it has ended, so the time of its end is all there is.
import http from "k6/http";
import { nextStream, report } from "./common.js";

export { handleSummary, options } from "./common.js";

export default function () {
  const { id, url } = nextStream();
  const { status, body, timings } = http.get(url);
  const isWhole = status === 200 && body.endsWith("event: done\ndata: {}\n\n");
  // Counting events would be work that this client is not there for.
  report({
    id,
    events: Number(__ENV.BENCH_EVENTS),
    firstMatchMs: timings.duration,
    problem: isWhole ? "" : "not whole",
  });
}
