import type { LoadInterval } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { counted } from "../../document/counted.ts";
import { msText } from "../../document/shown-number.ts";
import { sideMarks } from "./latency-side.ts";
import { linePath, stepAreaPath, stepPath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import { cornersOf } from "./time-corners.ts";
import type { RateStretch } from "./time-course.ts";
import type { TimeScales } from "./time-scales.ts";

/** Strokes keep their width when the drawing is zoomed in one direction. */
const unscaled = { "vector-effect": "non-scaling-stroke" } as const;

type Percentile = "p50Ms" | "p95Ms";

/** Steps are joined only between adjacent intervals. */
const isJoined = (one: LoadInterval, next: LoadInterval): boolean =>
  one.toMs === next.fromMs && one.phase === next.phase;

const percentileLine = (intervals: readonly LoadInterval[], name: Percentile, { x, latency }: TimeScales): string =>
  stepPath(
    cornersOf(
      intervals.filter((interval) => interval[name] !== undefined),
      isJoined,
    ).map((corner) => corner && [x(corner.ms), latency(corner.of[name] ?? 0)]),
  );

const spreadArea = (intervals: readonly LoadInterval[], { x, latency }: TimeScales): string =>
  stepAreaPath(
    cornersOf(
      intervals.filter(({ p50Ms, p95Ms }) => p50Ms !== undefined && p95Ms !== undefined),
      isJoined,
    ).map(
      (corner) => corner && { at: x(corner.ms), ends: [latency(corner.of.p50Ms ?? 0), latency(corner.of.p95Ms ?? 0)] },
    ),
  );

/** Median and 95th percentile of each interval of a side, with the space between them tinted. */
export const SideCourse = ({
  side,
  intervals,
  scales,
}: {
  readonly side: LoadInterval["side"];
  readonly intervals: readonly LoadInterval[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const own = intervals.filter((interval) => interval.side === side);
  const { colour } = sideMarks[side];
  return (
    <g fill="none" stroke={colour}>
      <path d={spreadArea(own, scales)} fill={colour} fill-opacity="0.16" stroke="none" />
      <path d={percentileLine(own, "p95Ms", scales)} stroke-width="1" stroke-opacity="0.9" {...unscaled} />
      <path d={percentileLine(own, "p50Ms", scales)} stroke-width="2.4" {...unscaled} />
    </g>
  );
};

/** Bars from a lower to an upper rate of each stretch, if they differ. */
const bars = (
  stretches: readonly RateStretch[],
  { x, rate }: TimeScales,
  ends: (stretch: RateStretch) => readonly [number, number],
): string =>
  stepAreaPath(
    cornersOf(
      stretches.filter((stretch) => ends(stretch)[0] !== ends(stretch)[1]),
      (one, next) => one.toMs === next.fromMs,
    ).map((corner) => {
      const [low, high] = corner === undefined ? [0, 0] : ends(corner.of);
      return corner && { at: x(corner.ms), ends: [rate(low), rate(high)] };
    }),
  );

/** Planned rate of each stretch: separate lines, since a rate belongs to a stretch and not to a moment. */
const plannedLines = (stretches: readonly RateStretch[], { x, rate }: TimeScales): string =>
  linePath(
    cornersOf(stretches, () => false).map((corner) => corner && [x(corner.ms), rate(corner.of.plannedPerSecond)]),
  );

/** Successes as filled bars, failures on top of them and as crosses above, the planned rate as a line. */
export const RateMarks = ({
  stretches,
  scales,
}: {
  readonly stretches: readonly RateStretch[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const { x } = scales;
  const failing = stretches.filter(({ failed }) => failed > 0);
  return (
    <g>
      <path d={bars(stretches, scales, ({ okPerSecond }) => [0, okPerSecond])} fill={palette.good} fill-opacity="0.4" />
      <path
        d={bars(stretches, scales, ({ okPerSecond, failedPerSecond }) => [okPerSecond, okPerSecond + failedPerSecond])}
        fill={palette.bad}
        fill-opacity="0.85"
      />
      <path d={plannedLines(stretches, scales)} stroke="currentColor" stroke-width="1.6" fill="none" {...unscaled} />
      <g fill={palette.bad} font-weight="700" text-anchor="middle">
        {failing.map(({ fromMs, toMs }) => (
          <text x={px((x(fromMs) + x(toMs)) / 2)} y={scales.plot.failedY + 4}>
            ✗
          </text>
        ))}
      </g>
    </g>
  );
};

const hoverText = (stretch: RateStretch, intervals: readonly LoadInterval[], isPaired: boolean): string => {
  const latencies = intervals
    .filter(({ fromMs, p50Ms }) => fromMs === stretch.fromMs && p50Ms !== undefined)
    .map(({ side, phase, p50Ms, p95Ms }) => {
      const who = `${isPaired ? `${side} ` : ""}${phase === "warmup" ? "(warm-up) " : ""}`;
      return `${who}p50 ${msText(p50Ms)} ms, p95 ${msText(p95Ms)} ms`;
    });
  const counts = `planned ${stretch.planned}, ok ${stretch.ok}, ${counted(stretch.failed, "failure")}`;
  const when = `${stretch.fromMs / 1000} to ${stretch.toMs / 1000} s`;
  return [`${when}: ${counts}`, ...latencies].join("; ");
};

/** Invisible fields over both plots with the numbers of each stretch. */
export const HoverFields = ({
  stretches,
  intervals,
  isPaired,
  scales,
}: {
  readonly stretches: readonly RateStretch[];
  readonly intervals: readonly LoadInterval[];
  readonly isPaired: boolean;
  readonly scales: TimeScales;
}): JSX.Element => (
  <g class="fig-hover" fill="transparent">
    {stretches.map((stretch) => (
      <rect
        x={px(scales.x(stretch.fromMs))}
        y={scales.plot.top}
        width={px(Math.max(0, scales.x(stretch.toMs) - scales.x(stretch.fromMs)))}
        height={scales.plot.rateBottom - scales.plot.top}
      >
        <title>{hoverText(stretch, intervals, isPaired)}</title>
      </rect>
    ))}
  </g>
);
