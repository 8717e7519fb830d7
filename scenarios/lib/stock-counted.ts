import { stockCounters } from "./stock-recorder.ts";
import { type Counted, type SummaryData, valueOf } from "./summary.ts";

const countsOf = (data: SummaryData, names: ReadonlyMap<string, string>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...names].flatMap(([name, metric]) => {
      const times = valueOf(data, metric, "count");
      return times === 0 ? [] : [[name, times] as const];
    }),
  );

/** What a stock k6 counted: it has no histograms, and does not tell its version. */
export const stockCounted = (data: SummaryData): Counted => ({
  k6Version: "",
  histograms: [],
  outcomes: countsOf(data, stockCounters.outcomes),
  violations: countsOf(data, stockCounters.violations),
  observations: {},
});
