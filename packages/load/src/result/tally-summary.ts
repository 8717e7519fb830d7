import { type K6Summary, type LoadResult, loadOutcomes, mergeHistograms } from "@assay/results";
import { loadMetricsOf } from "./load-metrics.ts";
import type { LoadTally } from "./load-tally.ts";

/** Outcome counts by kind, from names such as `stream ok`; names that are none are left out. */
export const outcomesByKind = (outcomes: K6Summary["outcomes"]): LoadResult["outcomes"] => {
  const kinds: Record<string, Record<string, number>> = {};
  for (const [name, count] of Object.entries(outcomes)) {
    const [kind = "", outcome = ""] = name.split(" ");
    if (loadOutcomes.some((known) => known === outcome) && count > 0) {
      const counts = (kinds[kind] ??= {});
      counts[outcome] = (counts[outcome] ?? 0) + count;
    }
  }
  return kinds;
};

/** What a summary amounts to where there are no samples: percentiles within half a bucket, no intervals, arms not apart. */
export const tallySummary = (summary: K6Summary): LoadTally => {
  const histograms = mergeHistograms(summary.histograms.filter(({ phase }) => phase === "measure"));
  return {
    outcomes: outcomesByKind(summary.outcomes),
    arms: [],
    violations: summary.violations,
    histograms,
    metrics: histograms.length > 0 ? loadMetricsOf(histograms, new Map()) : (summary.timings ?? []),
    intervals: [],
  };
};
