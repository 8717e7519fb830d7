import { type K6Summary, type LoadHistogram, type LoadResult, loadOutcomes, mergeHistograms } from "@assay/results";
import { latenciesOfHistograms, loadMetricsOf } from "./load-metrics.ts";
import type { LoadTally } from "./load-tally.ts";
import { arrivalKinds, isLaterThanSeen, isOfArrivals } from "./sample-latencies.ts";

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

/** Streams and conversations that had not come to their end when nobody watched any more; a summary does not say for how long. */
const unseenOf = (outcomes: LoadResult["outcomes"], { metric }: LoadHistogram): number => {
  const kind = metric.startsWith("terminal-") ? "conversation" : "stream";
  const counts = isOfArrivals(metric) ? (outcomes[kind] ?? {}) : {};
  return loadOutcomes.reduce((sum, outcome) => sum + (isLaterThanSeen(outcome) ? (counts[outcome] ?? 0) : 0), 0);
};

/** A histogram with what had not come: later than at once is all that is known of it. */
const withUnseen = (histogram: LoadHistogram, outcomes: LoadResult["outcomes"]): LoadHistogram => {
  const count = unseenOf(outcomes, histogram);
  return count === 0 ? histogram : { ...histogram, later: [[0, count]] };
};

/** A stock k6 counts what could not begin apart from all outcomes. */
const withNotBegun = (outcomes: LoadResult["outcomes"], notBegun: number): LoadResult["outcomes"] => {
  const kind = arrivalKinds.find((name) => outcomes[name] !== undefined);
  const isCounted = Object.values(outcomes).some((counts) => (counts["not-begun"] ?? 0) > 0);
  return kind === undefined || notBegun === 0 || isCounted
    ? outcomes
    : { ...outcomes, [kind]: { ...outcomes[kind], "not-begun": notBegun } };
};

/** What a summary amounts to where there are no samples: percentiles within half a bucket, no intervals, arms not apart. */
export const tallySummary = (summary: K6Summary): LoadTally => {
  const outcomes = withNotBegun(outcomesByKind(summary.outcomes), summary.notBegun ?? 0);
  const histograms = mergeHistograms(summary.histograms.filter(({ phase }) => phase === "measure")).map((histogram) =>
    withUnseen(histogram, outcomes),
  );
  return {
    outcomes,
    arms: [],
    violations: summary.violations,
    histograms,
    metrics: histograms.length > 0 ? loadMetricsOf(histograms) : (summary.timings ?? []),
    latencies: latenciesOfHistograms(histograms),
    intervals: [],
  };
};
