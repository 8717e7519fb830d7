import { scaleLinear, scaleLog } from "d3-scale";
import type { CdfPoint } from "./cdf-curve.ts";
import { logDomain } from "../log-ticks.ts";

/** Bounds of the plot in the figure. */
export interface CdfPlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const cdfPlot = { left: 64, right: 704, top: 48, bottom: 384 } as const satisfies CdfPlot;

/** The same on a narrow page, with the percentiles below the plot. */
export const narrowCdfPlot = { left: 46, right: 350, top: 44, bottom: 224 } as const satisfies CdfPlot;

/** The lowest drawn share. */
export const minFraction = 0.01;
const maxFraction = 0.9999;

/** The highest drawn share: half a sample from the end. */
const maxFractionOf = (count: number): number => Math.min(maxFraction, 1 - 1 / (2 * Math.max(20, count)));

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

/** Scales for curves: logarithmic time, and the share of samples by the logarithm of its odds. */
export const cdfScales = (micros: readonly number[], count: number, plot: CdfPlot = cdfPlot): CdfScales => {
  const domain = logDomain(
    micros.map((value) => Math.max(1, value)),
    4,
  );
  const x = scaleLog().domain(domain).range([plot.left, plot.right]).clamp(true);
  const max = maxFractionOf(count);
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

/** Shares at equal distances on the axis, in ascending order. */
export const evenFractions = ({ min, max }: CdfScales, steps: number): readonly number[] =>
  Array.from({ length: steps + 1 }, (_, index) => {
    const odds = 10 ** (logOdds(min) + ((logOdds(max) - logOdds(min)) * index) / steps);
    return odds / (1 + odds);
  });

/** The steps in the plot that are distinguishable when drawn, including the first and the last. */
export const visibleSteps = (points: readonly CdfPoint[], scales: CdfScales): readonly CdfPoint[] => {
  const { x, y, min, max } = scales;
  const first = points.findIndex(({ fraction }) => fraction >= min);
  const last = points.findIndex(({ fraction }) => fraction >= max);
  const inside = points.slice(Math.max(0, first), last < 0 ? points.length : last + 1);
  const shown: CdfPoint[] = [];
  for (const [index, point] of inside.entries()) {
    const before = shown.at(-1);
    const isApart =
      before === undefined ||
      Math.abs(x(point.micros) - x(before.micros)) >= 1 ||
      Math.abs(y(point.fraction) - y(before.fraction)) >= 1.5;
    if (isApart || index === inside.length - 1) {
      shown.push(point);
    }
  }
  return shown;
};
