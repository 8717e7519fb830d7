// Asks questions with a stock k6 over the legacy interface: creates a conversation, polls it until it ends, and deletes it.
//
//   ASSAY_URL=http://127.0.0.1:3080 ASSAY_TOKEN=... ASSAY_QUESTIONS=10 k6 run scenarios/examples/conversation-poll.js
//
// An example to start from. Questions cost: it asks at most ASSAY_QUESTIONS (default: 10). It makes no load result and keeps no ledger: a
// conversation that an interrupted test leaves behind has `[assay example]` in its question.
import { sleep } from "k6";
import http from "k6/http";
import { Rate, Trend } from "k6/metrics";

const url = (__ENV.ASSAY_URL || "http://127.0.0.1:3080").replace(/\/+$/, "");
const conversations = `${url}/.api/deepsearch/v1`;
const headers = {
  "Content-Type": "application/json",
  "X-Requested-With": "assay-example 1",
  ...(__ENV.ASSAY_TOKEN ? { Authorization: `token ${__ENV.ASSAY_TOKEN}` } : {}),
};
const deadlineMs = 180_000;

const ok = new Rate("conversation_ok");
const untilEnd = new Trend("conversation_until_end", true);

export const options = {
  scenarios: {
    conversations: {
      executor: "per-vu-iterations",
      vus: 1,
      iterations: Number(__ENV.ASSAY_QUESTIONS || 10),
      maxDuration: "1h",
    },
  },
  thresholds: { conversation_ok: ["rate>=0.99"] },
};

const statusOf = (response) => response.status < 300 && response.json("questions.#.status")?.at(-1);

export default function conversation() {
  const startMs = Date.now();
  const body = JSON.stringify({ question: "How are errors handled and reported? [assay example]" });
  const created = http.post(conversations, body, { headers, tags: { name: "create" } });
  if (created.status >= 300) {
    ok.add(false);
    return;
  }
  const address = `${conversations}/${Number(created.json("id"))}`;
  let status = statusOf(created);
  while (status === "processing" && Date.now() - startMs < deadlineMs) {
    sleep(1);
    status = statusOf(http.get(address, { headers, tags: { name: "poll" } }));
  }
  ok.add(status === "completed");
  if (status === "completed") {
    untilEnd.add(Date.now() - startMs);
  }
  http.del(address, null, { headers, tags: { name: "delete" } });
}
