import { scaleLinear } from "d3-scale";
import type { MetricComparison } from "@assay/results";

/** Bounds of the plot between the names of the metrics and the values. */
export const changePlot = { left: 192, right: 604, top: 46, rowHeight: 52 } as const;

/** Changes beyond this factor are clipped, since it hardly matters whether it was 30 or 40 times. */
const maxFactor = 20;

/** The range in which a metric counts as unchanged: as far down as up by factor, so 5 % up corresponds to 4.8 % down. */
export const marginEnds = (margin: number): readonly [number, number] => [1 / (1 + margin) - 1, margin];

const roundUp = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 9] as const;
const roundDown = [-0.01, -0.02, -0.05, -0.1, -0.2, -0.3, -0.5, -0.75, -0.9] as const;

const factorsOf = ({ change, low, high, margin }: MetricComparison): readonly number[] =>
  [change, low, high, margin, margin * 1.6]
    .filter((value) => value !== undefined)
    .filter((value) => Number.isFinite(value) && value > -1)
    .map((value) => Math.max(1 + value, 1 / (1 + value)));

/** The scale of changes. */
export interface ChangeScale {
  /** A change beyond the ends is drawn at the end. */
  readonly x: (change: number) => number;
  /** True if a change is inside the plot. */
  readonly isInside: (change: number) => boolean;
  readonly ticks: readonly number[];
}

/** Minimum distance of labels, as a share of half the axis. */
const labelShare = 0.3;

/** Round changes from the far end inwards, at the distance of labels. */
const spaced = (changes: readonly number[], limit: number): readonly number[] => {
  const shown: number[] = [];
  for (const change of changes.toReversed()) {
    const at = Math.abs(Math.log1p(change)) / limit;
    const before = shown.at(-1);
    const beforeAt = before === undefined ? 1 + labelShare : Math.abs(Math.log1p(before)) / limit;
    if (at <= 1 && at >= labelShare && beforeAt - at >= labelShare) {
      shown.push(change);
    }
  }
  return shown;
};

/** A scale by factor with no change in the middle and room for all metrics. */
export const changeScale = (metrics: readonly MetricComparison[]): ChangeScale => {
  const limit = Math.log(Math.min(maxFactor, Math.max(1.02, ...metrics.flatMap(factorsOf)) * 1.02));
  const x = scaleLinear().domain([-limit, limit]).range([changePlot.left, changePlot.right]).clamp(true);
  return {
    x: (change) => x(change <= -1 ? -limit : Math.log1p(change)),
    isInside: (change) => change > -1 && Math.abs(Math.log1p(change)) <= limit,
    ticks: [...spaced(roundDown, limit), 0, ...spaced(roundUp, limit)],
  };
};
