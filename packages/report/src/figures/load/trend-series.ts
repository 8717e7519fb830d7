import type { LoadResult, Percentile } from "@assay/results";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { formatMs, formatShare } from "../../document/shown-number.ts";
import { computeFailedShare } from "./failed-share.ts";
import { formatPercentile } from "../../document/percentile-text.ts";
import type { TrendGroup } from "./trend-groups.ts";

/** One run in one panel of a trend. */
export interface TrendPoint extends Partial<Percentile> {
  /** The value as text. */
  readonly text: string;
  /** True if the run is valid and complete. Other points are hollow and not joined. */
  readonly isUsable: boolean;
  readonly tooltip: string;
}

/** One panel: a quantity over the runs of a group, in order. */
export interface TrendSeries {
  readonly name: string;
  readonly points: readonly TrendPoint[];
  readonly format: (value: number) => string;
}

/** Reports whether a run is valid and complete. */
export const isUsable = ({ trust, complete }: LoadResult): boolean => trust.valid && complete;

/** Formats the start of a run in UTC, to the minute. */
export const formatStart = ({ run }: LoadResult): string =>
  escapeForDisplay(run.startedAt.slice(0, 16).replace("T", " "), "name");

const describeUsability = (load: LoadResult): string => {
  if (isUsable(load)) {
    return "";
  }
  return load.trust.valid ? ", ended early: do not use" : ", invalid: do not use";
};

const createTrendPoint = (load: LoadResult, text: string, value: Partial<Percentile>): TrendPoint => ({
  ...value,
  text,
  isUsable: isUsable(load),
  tooltip: `${formatStart(load)}, run ${escapeForDisplay(load.run.id, "name")}: ${text}${describeUsability(load)}`,
});

const createPercentileSeries = ({ loads, metric }: TrendGroup, name: "p50" | "p95"): TrendSeries => ({
  name: `${name}, ms`,
  points: loads.map((load) => {
    const percentile = load.metrics.find((candidate) => candidate.metric === metric && candidate.side === "base")?.[
      name
    ];
    return createTrendPoint(load, formatPercentile(percentile), percentile ?? {});
  }),
  format: formatMs,
});

const createFailedSeries = ({ loads }: TrendGroup): TrendSeries => ({
  name: "failed",
  points: loads.map((load) => {
    const { failed, total, share, low, high } = computeFailedShare(load);
    const text = share === undefined ? "-" : `${formatShare(share, 2)} (${failed} of ${total})`;
    const ends = low === undefined || high === undefined ? {} : { low, high };
    return createTrendPoint(load, text, share === undefined ? {} : { value: share, ...ends });
  }),
  format: (value) => formatShare(value, 2),
});

/** Returns the panels of a group: median, 95th percentile, share of failures. */
export const createTrendSeries = (group: TrendGroup): readonly TrendSeries[] => [
  createPercentileSeries(group, "p50"),
  createPercentileSeries(group, "p95"),
  createFailedSeries(group),
];
