import { loadMetricNames, type LoadMetricName, type LoadPlan } from "@assay/results";
import type { LoadTally } from "./load-tally.ts";

/** What scenarios are about, by their names; nothing is known of those of users. */
const subjects: Readonly<Record<string, LoadMetricName>> = {
  "search-first-match": "first-match",
  "search-exhaustive": "first-match",
  mixed: "first-match",
  "search-first-byte": "headers",
  "conversation-poll": "terminal-upper",
  "conversation-poll-stock": "terminal-upper",
};

const advice: Readonly<Partial<Record<LoadMetricName, string>>> = {
  "first-match": "use queries that find something on this target",
  "terminal-upper": "let the run last longer than an answer takes",
};

/**
 * What a scenario is for and what never came although something went well, one sentence that says what to do; undefined when it was
 * seen, or when nothing went well, which has other reasons. `alert` is what the target said without load.
 */
export function unseenSubject(
  { scenario }: LoadPlan,
  { metrics, outcomes }: Pick<LoadTally, "metrics" | "outcomes">,
  alert?: string,
): string | undefined {
  const subject = subjects[scenario];
  const ended = Object.values(outcomes).reduce((sum, { ok = 0 }) => sum + ok, 0);
  if (subject === undefined || ended === 0 || metrics.some(({ metric }) => metric === subject)) {
    return undefined;
  }
  const metric = loadMetricNames.find((name) => name === subject) ?? subject;
  const next = alert === undefined ? advice[subject] : `the target answers with an alert, "${alert}": mend that first`;
  return `${ended} requests went well and none of them showed ${metric}, which ${scenario} is about${next === undefined ? "" : `; ${next}`}`;
}
