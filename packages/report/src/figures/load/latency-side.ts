import { defined, loadSides, type LoadSide } from "@assay/contract";
import type { LoadHistogram, LoadMetric, LoadResult } from "@assay/results";
import { palette } from "../../printers/html/palette.ts";

/** The colour and line dashes of a side in every figure. */
export const sideMarks = {
  base: { colour: palette.accent, dashes: undefined },
  head: { colour: palette.second, dashes: "9 3" },
} as const satisfies Record<LoadSide, { colour: string; dashes: string | undefined }>;

/** One metric of one side with its distribution. */
export interface LatencySide {
  readonly side: LoadSide;
  readonly histogram: LoadHistogram;
  readonly metric?: LoadMetric;
}

/** Main metrics of streams and of conversations, most informative first. */
const leadingMetricNames = [
  ["first-match", "first-event", "headers"],
  ["terminal-upper", "poll", "create"],
] as const;

/** Returns the metrics shown in figures: one for streams and one for conversations, if measured. */
export const selectLeadingMetrics = ({ metrics }: Pick<LoadResult, "metrics">): readonly LoadMetric["metric"][] =>
  leadingMetricNames.flatMap((names) => {
    const measuredName = names.find((name) => metrics.some(({ metric, count }) => metric === name && count > 0));
    return measuredName === undefined ? [] : [measuredName];
  });

/** Returns the sides of a metric that have a histogram with samples in the measured phase. */
export const createLatencySides = (load: LoadResult, name: string): readonly LatencySide[] =>
  loadSides.flatMap((side) => {
    const histogram = load.histograms.find(
      (candidate) =>
        candidate.metric === name && candidate.side === side && candidate.phase === "measure" && candidate.count > 0,
    );
    const metric = load.metrics.find((candidate) => candidate.metric === name && candidate.side === side);
    return histogram === undefined ? [] : [{ side, histogram, ...defined({ metric }) }];
  });
