import { scaleLinear, scaleLog } from "d3-scale";
import type { LoadInterval } from "@assay/results";
import { logDomain } from "./log-ticks.ts";
import type { RateStretch } from "./time-course.ts";

/** Places of the two plots that stand one above the other. */
export const timePlot = {
  left: 64,
  right: 944,
  top: 44,
  bottom: 276,
  failedY: 300,
  rateTop: 318,
  rateBottom: 412,
  height: 460,
} as const;

/** Where moments, latencies and rates stand. */
export interface TimeScales {
  readonly x: (ms: number) => number;
  readonly latency: (ms: number) => number;
  readonly rate: (perSecond: number) => number;
  readonly secondTicks: readonly number[];
  /** The moment at the right end. */
  readonly endSeconds: number;
  readonly latencyDomainMs: readonly [number, number];
  readonly rateTicks: readonly number[];
}

/** The highest rate of a plan, and when its last part was to end, warm-up included. */
export interface PlannedLoad {
  readonly perSecond: number;
  readonly endMs: number;
}

/** Scales for the intervals of a run; time reaches to the planned end, so that what never started shows as empty. */
export const timeScales = (
  intervals: readonly LoadInterval[],
  rates: readonly RateStretch[],
  planned: PlannedLoad,
): TimeScales => {
  const endMs = Math.max(1, planned.endMs, ...rates.map(({ toMs }) => toMs));
  const seconds = scaleLinear()
    .domain([0, endMs / 1000])
    .range([timePlot.left, timePlot.right]);
  const domain = logDomain(
    intervals.flatMap(({ p50Ms, p95Ms }) => [p50Ms ?? 0, p95Ms ?? 0]),
    3,
  );
  const latency = scaleLog().domain(domain).range([timePlot.bottom, timePlot.top]).clamp(true);
  const most = Math.max(0.001, planned.perSecond, ...rates.map(({ plannedPerSecond }) => plannedPerSecond));
  const rate = scaleLinear().domain([0, most]).range([timePlot.rateBottom, timePlot.rateTop]);
  return {
    x: (ms) => seconds(ms / 1000),
    latency: (ms) => latency(Math.max(domain[0], ms)),
    rate: (perSecond) => rate(perSecond),
    secondTicks: seconds.ticks(10),
    endSeconds: endMs / 1000,
    latencyDomainMs: domain,
    rateTicks: rate.ticks(3),
  };
};
