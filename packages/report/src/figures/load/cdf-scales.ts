import { scaleLinear, scaleLog } from "d3-scale";
import type { CdfPoint } from "./cdf-curve.ts";
import { computeLogDomain } from "../log-ticks.ts";

/** Bounds of the plot in the figure. */
export interface CdfPlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const cdfPlot = { left: 64, right: 704, top: 48, bottom: 384 } as const satisfies CdfPlot;

/** Bounds on a narrow page, which has the percentiles below the plot. */
export const narrowCdfPlot = { left: 46, right: 350, top: 44, bottom: 224 } as const satisfies CdfPlot;

/** The lowest drawn share. */
export const minFraction = 0.01;
const maxFraction = 0.9999;

/** Returns the highest drawn share: half a sample from the end, for at least 20 samples. */
const findHighestFraction = (count: number): number => Math.min(maxFraction, 1 - 1 / (2 * Math.max(20, count)));

const logOdds = (fraction: number): number => Math.log10(fraction / (1 - fraction));

/** Scales of times and shares. */
export interface CdfScales {
  readonly plot: CdfPlot;
  readonly x: (micros: number) => number;
  /** Stretched towards both ends. Shares beyond them are drawn at the ends. */
  readonly y: (fraction: number) => number;
  readonly domainMicros: readonly [number, number];
  readonly min: number;
  readonly max: number;
}

/** Creates the scales for curves: logarithmic time, and the share of samples by the logarithm of its odds. */
export const computeCdfScales = (micros: readonly number[], count: number, plot: CdfPlot = cdfPlot): CdfScales => {
  const domain = computeLogDomain(
    micros.map((value) => Math.max(1, value)),
    4,
  );
  const x = scaleLog().domain(domain).range([plot.left, plot.right]).clamp(true);
  const max = findHighestFraction(count);
  const odds = scaleLinear()
    .domain([logOdds(minFraction), logOdds(max)])
    .range([plot.bottom, plot.top]);
  return {
    plot,
    x: (value) => x(Math.max(1, value)),
    y: (fraction) => odds(logOdds(Math.min(max, Math.max(minFraction, fraction)))),
    domainMicros: domain,
    min: minFraction,
    max,
  };
};

/** Returns shares at equal distances on the axis, in ascending order. */
export const listEvenFractions = ({ min, max }: CdfScales, steps: number): readonly number[] =>
  Array.from({ length: steps + 1 }, (_, index) => {
    const odds = 10 ** (logOdds(min) + ((logOdds(max) - logOdds(min)) * index) / steps);
    return odds / (1 + odds);
  });

/** Selects the steps in the plot that are distinguishable when drawn, including the first and the last. */
export const selectVisibleSteps = (points: readonly CdfPoint[], scales: CdfScales): readonly CdfPoint[] => {
  const { x, y, min, max } = scales;
  const firstIndex = points.findIndex(({ fraction }) => fraction >= min);
  const lastIndex = points.findIndex(({ fraction }) => fraction >= max);
  const inside = points.slice(Math.max(0, firstIndex), lastIndex < 0 ? points.length : lastIndex + 1);
  const visible: CdfPoint[] = [];
  for (const [index, point] of inside.entries()) {
    const previous = visible.at(-1);
    const isApart =
      previous === undefined ||
      Math.abs(x(point.micros) - x(previous.micros)) >= 1 ||
      Math.abs(y(point.fraction) - y(previous.fraction)) >= 1.5;
    if (isApart || index === inside.length - 1) {
      visible.push(point);
    }
  }
  return visible;
};
