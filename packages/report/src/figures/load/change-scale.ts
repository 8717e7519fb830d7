import { scaleLinear } from "d3-scale";
import type { MetricComparison } from "@assay/results";

/** Bounds of the plot between the names of the metrics and the values. */
export const changePlot = { left: 192, right: 604, top: 46, rowHeight: 52 } as const;

/** Changes beyond this factor are clipped, since it hardly matters whether it was 30 or 40 times. */
const maxFactor = 20;

/** Returns the range in which a metric counts as unchanged. It is symmetric by factor, so 5 % up corresponds to 4.8 % down. */
export const computeMarginEnds = (margin: number): readonly [number, number] => [1 / (1 + margin) - 1, margin];

const roundIncreases = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 9] as const;
const roundDecreases = [-0.01, -0.02, -0.05, -0.1, -0.2, -0.3, -0.5, -0.75, -0.9] as const;

const toFactors = ({ change, low, high, margin }: MetricComparison): readonly number[] =>
  [change, low, high, margin, margin * 1.6]
    .filter((value) => value !== undefined)
    .filter((value) => Number.isFinite(value) && value > -1)
    .map((value) => Math.max(1 + value, 1 / (1 + value)));

/** A scale of relative changes. */
export interface ChangeScale {
  /** A change beyond the ends is drawn at the end. */
  readonly x: (change: number) => number;
  /** True if a change is inside the plot. */
  readonly isInside: (change: number) => boolean;
  readonly ticks: readonly number[];
}

/** Minimum distance between labels, as a share of half the axis. */
const labelShare = 0.3;

/** Selects round changes from the far end inwards, at least `labelShare` apart. */
const spaceTicks = (changes: readonly number[], maxLogFactor: number): readonly number[] => {
  const visible: number[] = [];
  for (const change of changes.toReversed()) {
    const position = Math.abs(Math.log1p(change)) / maxLogFactor;
    const previous = visible.at(-1);
    const previousPosition = previous === undefined ? 1 + labelShare : Math.abs(Math.log1p(previous)) / maxLogFactor;
    if (position <= 1 && position >= labelShare && previousPosition - position >= labelShare) {
      visible.push(change);
    }
  }
  return visible;
};

/** Creates a scale by factor that fits all metrics, with "no change" in the middle. */
export const createChangeScale = (metrics: readonly MetricComparison[]): ChangeScale => {
  const maxLogFactor = Math.log(Math.min(maxFactor, Math.max(1.02, ...metrics.flatMap(toFactors)) * 1.02));
  const x = scaleLinear().domain([-maxLogFactor, maxLogFactor]).range([changePlot.left, changePlot.right]).clamp(true);
  return {
    x: (change) => x(change <= -1 ? -maxLogFactor : Math.log1p(change)),
    isInside: (change) => change > -1 && Math.abs(Math.log1p(change)) <= maxLogFactor,
    ticks: [...spaceTicks(roundDecreases, maxLogFactor), 0, ...spaceTicks(roundIncreases, maxLogFactor)],
  };
};
