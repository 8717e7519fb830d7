import { scaleLinear, scaleLog } from "d3-scale";
import type { LoadInterval } from "@assay/results";
import { computeLogDomain } from "../log-ticks.ts";
import type { RatePeriod } from "./time-course.ts";

/** Bounds of the two plots, one above the other. */
export interface TimePlot {
  readonly left: number;
  readonly right: number;
  /** Bounds of the latencies. */
  readonly top: number;
  readonly bottom: number;
  /** Height of the crosses that mark failures, between the two plots. */
  readonly failedY: number;
  /** Bounds of the rates. */
  readonly rateTop: number;
  readonly rateBottom: number;
  /** Height of the whole figure. */
  readonly height: number;
  /** Approximate number of time labels. */
  readonly secondTickCount: number;
}

export const timePlot = {
  left: 64,
  right: 944,
  top: 44,
  bottom: 276,
  failedY: 300,
  rateTop: 318,
  rateBottom: 412,
  height: 460,
  secondTickCount: 10,
} as const satisfies TimePlot;

/** Bounds on a narrow page. */
export const narrowTimePlot = {
  left: 54,
  right: 354,
  top: 66,
  bottom: 206,
  failedY: 226,
  rateTop: 240,
  rateBottom: 296,
  height: 356,
  secondTickCount: 5,
} as const satisfies TimePlot;

/** Scales of times, latencies and rates. */
export interface TimeScales {
  readonly plot: TimePlot;
  readonly x: (ms: number) => number;
  readonly latency: (ms: number) => number;
  readonly rate: (perSecond: number) => number;
  readonly secondTicks: readonly number[];
  /** Time at the right end. */
  readonly endSeconds: number;
  readonly latencyDomainMs: readonly [number, number];
  readonly rateTicks: readonly number[];
}

/** The highest rate of a plan, and its planned end including warm-up. */
export interface PlannedLoad {
  readonly perSecond: number;
  readonly endMs: number;
  /** Bounds of the plots. Default: `timePlot`. */
  readonly plot?: TimePlot;
}

/** Creates the scales for the intervals of a run. Time extends to the planned end, so that a missing part is visible. */
export const createTimeScales = (
  intervals: readonly LoadInterval[],
  rates: readonly RatePeriod[],
  { perSecond, endMs: plannedEndMs, plot = timePlot }: PlannedLoad,
): TimeScales => {
  const endMs = Math.max(1, plannedEndMs, ...rates.map(({ toMs }) => toMs));
  const seconds = scaleLinear()
    .domain([0, endMs / 1000])
    .range([plot.left, plot.right]);
  const domain = computeLogDomain(
    intervals.flatMap(({ p50Ms, p95Ms }) => [p50Ms ?? 0, p95Ms ?? 0]),
    3,
  );
  const latency = scaleLog().domain(domain).range([plot.bottom, plot.top]).clamp(true);
  const maxRate = Math.max(0.001, perSecond, ...rates.map(({ plannedPerSecond }) => plannedPerSecond));
  const rate = scaleLinear().domain([0, maxRate]).range([plot.rateBottom, plot.rateTop]);
  return {
    plot,
    x: (ms) => seconds(ms / 1000),
    latency: (ms) => latency(Math.max(domain[0], ms)),
    rate: (value) => rate(value),
    secondTicks: seconds.ticks(plot.secondTickCount),
    endSeconds: endMs / 1000,
    latencyDomainMs: domain,
    rateTicks: rate.ticks(3),
  };
};
