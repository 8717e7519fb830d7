// Times searches with a stock k6, which shows a response only when it is complete: first byte and last byte, never the first match.
//
//   ASSAY_URL=http://127.0.0.1:3080 ASSAY_TOKEN=... k6 run scenarios/examples/search-first-byte.js
//
// An example to start from. It makes no load result: `assay load` needs the samples that only a k6 with `k6/x/assay` records.
import http from "k6/http";
import { Rate, Trend } from "k6/metrics";

const url = (__ENV.ASSAY_URL || "http://127.0.0.1:3080").replace(/\/+$/, "");
const headers = __ENV.ASSAY_TOKEN ? { Authorization: `token ${__ENV.ASSAY_TOKEN}` } : {};
const queries = ["error count:50", "import count:50", "return count:50", "config count:50"];

const ok = new Rate("search_ok");
const firstByte = new Trend("first_byte", true);
const lastByte = new Trend("last_byte", true);

export const options = {
  scenarios: {
    searches: {
      executor: "constant-arrival-rate",
      rate: Number(__ENV.ASSAY_RATE || 2),
      timeUnit: "1s",
      duration: __ENV.ASSAY_DURATION || "1m",
      preAllocatedVUs: 20,
      maxVUs: 200,
    },
  },
  thresholds: { dropped_iterations: ["count==0"], search_ok: ["rate>=0.99"] },
};

let count = 0;

export default function search() {
  const query = queries[count++ % queries.length];
  const response = http.get(`${url}/.api/search/stream?q=${encodeURIComponent(query)}&v=V3`, {
    headers,
    redirects: 0,
    responseType: "none",
    tags: { name: "search" },
  });
  const type = response.headers["Content-Type"] || "";
  const isStream = response.status === 200 && type.startsWith("text/event-stream");
  ok.add(isStream);
  if (isStream) {
    firstByte.add(response.timings.waiting);
    lastByte.add(response.timings.duration);
  }
}
