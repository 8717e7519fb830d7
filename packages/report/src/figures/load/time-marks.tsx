import type { LoadInterval } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { counted } from "../../document/counted.ts";
import { formatMs } from "../../document/shown-number.ts";
import { sideMarks } from "./latency-side.ts";
import { drawLinePath, drawStepAreaPath, drawStepPath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import { listStepCorners } from "./time-corners.ts";
import type { RatePeriod } from "./time-course.ts";
import type { TimeScales } from "./time-scales.ts";

/** Strokes keep their width when the drawing is zoomed in one direction. */
const unscaled = { "vector-effect": "non-scaling-stroke" } as const;

type Percentile = "p50Ms" | "p95Ms";

/** Joins steps only between adjacent intervals of one phase. */
const isJoined = (previous: LoadInterval, next: LoadInterval): boolean =>
  previous.toMs === next.fromMs && previous.phase === next.phase;

const drawPercentileLine = (intervals: readonly LoadInterval[], name: Percentile, { x, latency }: TimeScales): string =>
  drawStepPath(
    listStepCorners(
      intervals.filter((interval) => interval[name] !== undefined),
      isJoined,
    ).map((corner) => corner && [x(corner.ms), latency(corner.period[name] ?? 0)]),
  );

const drawSpreadArea = (intervals: readonly LoadInterval[], { x, latency }: TimeScales): string =>
  drawStepAreaPath(
    listStepCorners(
      intervals.filter(({ p50Ms, p95Ms }) => p50Ms !== undefined && p95Ms !== undefined),
      isJoined,
    ).map(
      (corner) =>
        corner && {
          position: x(corner.ms),
          edges: [latency(corner.period.p50Ms ?? 0), latency(corner.period.p95Ms ?? 0)],
        },
    ),
  );

/** Plots the median and 95th percentile of each interval of a side, with the space between them tinted. */
export const SideCourse = ({
  side,
  intervals,
  scales,
}: {
  readonly side: LoadInterval["side"];
  readonly intervals: readonly LoadInterval[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const sideIntervals = intervals.filter((interval) => interval.side === side);
  const { colour } = sideMarks[side];
  return (
    <g fill="none" stroke={colour}>
      <path d={drawSpreadArea(sideIntervals, scales)} fill={colour} fill-opacity="0.16" stroke="none" />
      <path
        d={drawPercentileLine(sideIntervals, "p95Ms", scales)}
        stroke-width="1"
        stroke-opacity="0.9"
        {...unscaled}
      />
      <path d={drawPercentileLine(sideIntervals, "p50Ms", scales)} stroke-width="2.4" {...unscaled} />
    </g>
  );
};

/** Returns the bars from a lower to an upper rate of each period, if they differ. */
const drawBarsPath = (
  periods: readonly RatePeriod[],
  { x, rate }: TimeScales,
  ends: (period: RatePeriod) => readonly [number, number],
): string =>
  drawStepAreaPath(
    listStepCorners(
      periods.filter((period) => ends(period)[0] !== ends(period)[1]),
      (previous, next) => previous.toMs === next.fromMs,
    ).map((corner) => {
      const [low, high] = corner === undefined ? [0, 0] : ends(corner.period);
      return corner && { position: x(corner.ms), edges: [rate(low), rate(high)] };
    }),
  );

/** Returns a separate line for the planned rate of each period, because a rate belongs to a period and not to a moment. */
const drawPlannedLines = (periods: readonly RatePeriod[], { x, rate }: TimeScales): string =>
  drawLinePath(
    listStepCorners(periods, () => false).map(
      (corner) => corner && [x(corner.ms), rate(corner.period.plannedPerSecond)],
    ),
  );

/** Plots successes as filled bars, failures on top of them and as crosses above, and the planned rate as a line. */
export const RateMarks = ({
  periods,
  scales,
}: {
  readonly periods: readonly RatePeriod[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const { x } = scales;
  const failingPeriods = periods.filter(({ failed }) => failed > 0);
  return (
    <g>
      <path
        d={drawBarsPath(periods, scales, ({ okPerSecond }) => [0, okPerSecond])}
        fill={palette.good}
        fill-opacity="0.4"
      />
      <path
        d={drawBarsPath(periods, scales, ({ okPerSecond, failedPerSecond }) => [
          okPerSecond,
          okPerSecond + failedPerSecond,
        ])}
        fill={palette.bad}
        fill-opacity="0.85"
      />
      <path d={drawPlannedLines(periods, scales)} stroke="currentColor" stroke-width="1.6" fill="none" {...unscaled} />
      <g fill={palette.bad} font-weight="700" text-anchor="middle">
        {failingPeriods.map(({ fromMs, toMs }) => (
          <text x={px((x(fromMs) + x(toMs)) / 2)} y={scales.plot.failedY + 4}>
            ✗
          </text>
        ))}
      </g>
    </g>
  );
};

const formatHover = (period: RatePeriod, intervals: readonly LoadInterval[], isPaired: boolean): string => {
  const latencies = intervals
    .filter(({ fromMs, p50Ms }) => fromMs === period.fromMs && p50Ms !== undefined)
    .map(({ side, phase, p50Ms, p95Ms }) => {
      const labels = `${isPaired ? `${side} ` : ""}${phase === "warmup" ? "(warm-up) " : ""}`;
      return `${labels}p50 ${formatMs(p50Ms)} ms, p95 ${formatMs(p95Ms)} ms`;
    });
  const counts = `planned ${period.planned}, ok ${period.ok}, ${counted(period.failed, "failure")}`;
  const times = `${period.fromMs / 1000} to ${period.toMs / 1000} s`;
  return [`${times}: ${counts}`, ...latencies].join("; ");
};

/** Invisible fields over both plots, with the numbers of each period as tooltips. */
export const HoverFields = ({
  periods,
  intervals,
  isPaired,
  scales,
}: {
  readonly periods: readonly RatePeriod[];
  readonly intervals: readonly LoadInterval[];
  readonly isPaired: boolean;
  readonly scales: TimeScales;
}): JSX.Element => (
  <g class="fig-hover" fill="transparent">
    {periods.map((period) => (
      <rect
        x={px(scales.x(period.fromMs))}
        y={scales.plot.top}
        width={px(Math.max(0, scales.x(period.toMs) - scales.x(period.fromMs)))}
        height={scales.plot.rateBottom - scales.plot.top}
      >
        <title>{formatHover(period, intervals, isPaired)}</title>
      </rect>
    ))}
  </g>
);
