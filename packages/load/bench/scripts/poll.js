// One poll of a conversation: the state is read out of the answer.
import http from "k6/http";
import { nextStream, report } from "./common.js";

export { handleSummary, options } from "./common.js";

export default function () {
  const { id, url } = nextStream();
  const response = http.get(url, { tags: { name: "poll" } });
  const state = response.json("state");
  report({
    id,
    events: 1,
    firstMatchMs: response.timings.duration,
    problem: state === "COMPLETED" ? "" : "another state",
  });
}
