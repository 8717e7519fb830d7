import { defined } from "@assay/contract";
import type { LoadArm, LoadHistogram, LoadMetric, LoadResult } from "@assay/results";
import { palette } from "../../printers/html/palette.ts";

/** The colour, line dashes and word of an arm in every figure. */
export const armMarks = {
  a: { colour: palette.accent, dashes: undefined, word: "base" },
  b: { colour: palette.second, dashes: "9 3", word: "head" },
} as const satisfies Record<LoadArm, { colour: string; dashes: string | undefined; word: string }>;

/** One metric of one arm with its distribution. */
export interface LatencyArm {
  readonly arm: LoadArm;
  readonly histogram: LoadHistogram;
  readonly metric?: LoadMetric;
}

/** Main metrics of streams and of conversations, the most informative first. */
const leading = [
  ["first-match", "first-event", "headers"],
  ["terminal-upper", "poll", "create"],
] as const;

/** Metrics shown in figures: one for streams and one for conversations, if measured. */
export const leadingMetrics = ({ metrics }: Pick<LoadResult, "metrics">): readonly LoadMetric["metric"][] =>
  leading.flatMap((names) => {
    const found = names.find((name) => metrics.some(({ metric, count }) => metric === name && count > 0));
    return found === undefined ? [] : [found];
  });

/** Both arms of a metric in the measured phase that have histograms with samples. */
export const latencyArms = (load: LoadResult, name: string): readonly LatencyArm[] =>
  (["a", "b"] as const).flatMap((arm) => {
    const histogram = load.histograms.find(
      (one) => one.metric === name && one.arm === arm && one.phase === "measure" && one.count > 0,
    );
    const metric = load.metrics.find((one) => one.metric === name && one.arm === arm);
    return histogram === undefined ? [] : [{ arm, histogram, ...defined({ metric }) }];
  });
