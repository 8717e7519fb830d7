import type { LoadMetric } from "@assay/results";
import { stockTimings } from "./thresholds.ts";
import { stockCounters } from "./stock-recorder.ts";
import { type Counted, type SummaryData, valueOf } from "./summary.ts";

const countsOf = (data: SummaryData, names: ReadonlyMap<string, string>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...names].flatMap(([name, metric]) => {
      const times = valueOf(data, metric, "count");
      return times === 0 ? [] : [[name, times] as const];
    }),
  );

/** One timing of the measured phase; nothing where it was never fed. */
function timing(data: SummaryData, name: string, metric: LoadMetric["metric"]): readonly LoadMetric[] {
  const value = (statistic: string): number => valueOf(data, `${name}{phase:measure}`, statistic);
  const count = value("count");
  return count === 0
    ? []
    : [
        {
          metric,
          arm: "a",
          count,
          meanMs: value("avg"),
          minMs: value("min"),
          maxMs: value("max"),
          p50: { value: value("med") },
          p95: { value: value("p(95)") },
          p99: { value: value("p(99)") },
        },
      ];
}

/** What a stock k6 counted: it has no histograms, and does not tell its version. */
export const stockCounted = (data: SummaryData): Counted => ({
  k6Version: "",
  histograms: [],
  timings: Object.entries(stockTimings).flatMap(([name, metric]) => timing(data, name, metric)),
  outcomes: countsOf(data, stockCounters.outcomes),
  violations: countsOf(data, stockCounters.violations),
  observations: {},
});
