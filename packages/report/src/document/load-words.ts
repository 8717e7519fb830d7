import type { ComparisonVerdict, LoadMetricName } from "@assay/results";
import type { Sign } from "./outcome-words.ts";

/** Sign and word of a comparison, and of one of its metrics. */
export const comparisonWords = {
  improved: { sign: "✓", word: "improved" },
  unchanged: { sign: "✓", word: "unchanged" },
  regressed: { sign: "✗", word: "regressed" },
  inconclusive: { sign: "?", word: "inconclusive" },
} as const satisfies Record<ComparisonVerdict, { sign: Sign; word: string }>;

/** Sign and word of a condition that passed, failed, or could not be checked. */
export const getConditionWords = (ok: boolean | undefined): { readonly sign: Sign; readonly word: string } => {
  if (ok === undefined) {
    return { sign: "?", word: "unknown" };
  }
  return ok ? { sign: "✓", word: "passed" } : { sign: "✗", word: "failed" };
};

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
