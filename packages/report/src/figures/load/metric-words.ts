import type { LoadMetricName } from "@assay/results";

/** Words for each metric. */
export const metricWords = {
  headers: "answer's headers",
  "first-event": "first event",
  "first-match": "first match",
  stream: "end of the stream",
  create: "creating a conversation",
  poll: "one poll",
  delete: "deleting a conversation",
  "terminal-lower": "end of a conversation, at the earliest",
  "terminal-upper": "end of a conversation, at the latest",
  "start-lag": "delay of sending after the planned time",
} as const satisfies Record<LoadMetricName, string>;
