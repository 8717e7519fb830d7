import { bucketPairs } from "./histogram-of.ts";
import { type LoadHistogram, loadMetricNames } from "./load-histogram.ts";

const keyOf = ({ metric, arm, phase }: LoadHistogram): string => `${phase} ${arm} ${metric}`;

const added = (all: readonly LoadHistogram["buckets"][]): LoadHistogram["buckets"] => {
  const counts = new Map<number, number>();
  for (const [bucket, count] of all.flat()) {
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return bucketPairs(counts);
};

const sumOf = (first: LoadHistogram, all: readonly LoadHistogram[]): LoadHistogram => {
  const later = added(all.map((one) => one.later ?? []));
  const filled = all.filter(({ count }) => count > 0);
  return {
    metric: first.metric,
    arm: first.arm,
    phase: first.phase,
    count: all.reduce((sum, { count }) => sum + count, 0),
    minMicros: filled.reduce((least, { minMicros }) => Math.min(least, minMicros), filled[0]?.minMicros ?? 0),
    maxMicros: filled.reduce((most, { maxMicros }) => Math.max(most, maxMicros), 0),
    sumMicros: all.reduce((sum, { sumMicros }) => sum + sumMicros, 0),
    buckets: added(all.map(({ buckets }) => buckets)),
    ...(later.length === 0 ? {} : { later }),
  };
};

const metricOrder = (metric: string): number => {
  const index = loadMetricNames.findIndex((name) => name === metric);
  return index < 0 ? loadMetricNames.length : index;
};

/**
 * One histogram for each metric, arm and phase: the counts of all that agree in these, added. Ordered by phase, metric as in
 * `loadMetricNames`, and arm. Nothing is lost: adding the parts of a split gives the histogram of the whole.
 */
export const mergeHistograms = (histograms: readonly LoadHistogram[]): readonly LoadHistogram[] => {
  const groups = new Map<string, LoadHistogram[]>();
  for (const histogram of histograms) {
    const group = groups.get(keyOf(histogram));
    if (group === undefined) {
      groups.set(keyOf(histogram), [histogram]);
    } else {
      group.push(histogram);
    }
  }
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map((first) => sumOf(first, group)))
    .sort(
      (a, b) =>
        b.phase.localeCompare(a.phase) ||
        metricOrder(a.metric) - metricOrder(b.metric) ||
        a.metric.localeCompare(b.metric) ||
        a.arm.localeCompare(b.arm),
    );
};
