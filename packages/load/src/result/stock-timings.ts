import { type LoadMetric, loadMetricNames, type Percentile, percentileMinimum } from "@assay/results";
import { isAmount, isArm, isCount, membersOf } from "../samples/json-members.ts";

/** A percentile that was given, unless there were too few samples for it. */
function percentile(
  name: keyof typeof percentileMinimum,
  value: unknown,
  count: number,
): Partial<Record<typeof name, Percentile>> {
  const found = membersOf(value)?.["value"];
  return isAmount(found) && count >= percentileMinimum[name] ? { [name]: { value: found } } : {};
}

function timingOf(value: unknown): readonly LoadMetric[] {
  const { metric: name, arm, count, meanMs, minMs, maxMs, p50, p95, p99 } = membersOf(value) ?? {};
  const metric = loadMetricNames.find((known) => known === name);
  if (metric === undefined || !isArm(arm) || !isCount(count)) {
    return [];
  }
  if (!isAmount(meanMs) || !isAmount(minMs) || !isAmount(maxMs)) {
    return [];
  }
  const percentiles = {
    ...percentile("p50", p50, count),
    ...percentile("p95", p95, count),
    ...percentile("p99", p99, count),
  };
  return [{ metric, arm, count, meanMs, minMs, maxMs, ...percentiles }];
}

/** What a stock k6 timed, read from a file that anybody may have written: what is no timing is left out. */
export const stockTimingsOf = (value: unknown): readonly LoadMetric[] =>
  (Array.isArray(value) ? value.slice(0, loadMetricNames.length) : []).flatMap((each: unknown) => timingOf(each));
