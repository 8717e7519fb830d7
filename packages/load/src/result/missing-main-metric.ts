import { loadMetricNames, type LoadMetricName, type LoadPlan } from "@assay/results";
import type { LoadTally } from "./load-tally.ts";

/** The main metric of each scenario. Scenarios of users have none. */
const mainMetrics: Readonly<Record<string, LoadMetricName>> = {
  "search-first-match": "first-match",
  "search-exhaustive": "first-match",
  mixed: "first-match",
  "conversation-poll": "terminal-upper",
};

const adviceByMetric: Readonly<Partial<Record<LoadMetricName, string>>> = {
  "first-match": "use queries that find something on this target",
  "terminal-upper": "make the run longer than an answer takes",
};

/**
 * Returns a sentence with advice if a run never saw the main metric of its scenario although requests succeeded;
 * otherwise undefined. `alert` is the target's alert without load.
 */
export function describeMissingMainMetric(
  { scenario }: LoadPlan,
  { metrics, outcomes }: Pick<LoadTally, "metrics" | "outcomes">,
  alert?: string,
): string | undefined {
  const subject = mainMetrics[scenario];
  const successes = Object.values(outcomes).reduce((sum, { ok = 0 }) => sum + ok, 0);
  if (subject === undefined || successes === 0 || metrics.some(({ metric }) => metric === subject)) {
    return undefined;
  }
  const metric = loadMetricNames.find((name) => name === subject) ?? subject;
  const remedy =
    alert === undefined ? adviceByMetric[subject] : `the target answers with an alert, "${alert}": fix that first`;
  return `${successes} requests succeeded, but none had the metric ${metric}, which ${scenario} measures${remedy === undefined ? "" : `; ${remedy}`}`;
}
