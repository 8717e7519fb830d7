import type { LoadInterval } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../html/palette.ts";
import { counted } from "../counted.ts";
import { msText } from "../load/shown-number.ts";
import { armMarks } from "./latency-arm.ts";
import { px } from "./svg-number.ts";
import type { RateStretch } from "./time-course.ts";
import { timePlot, type TimeScales } from "./time-scales.ts";

/** Strokes stay as wide as they are where the drawing is zoomed in one direction. */
const unscaled = { "vector-effect": "non-scaling-stroke" } as const;

type Value = (interval: LoadInterval) => number | undefined;

/** A line of steps, one for each interval with a value; joined only where one interval follows at once upon the other. */
const stepPath = (intervals: readonly LoadInterval[], value: Value, { x, latency }: TimeScales): string => {
  let before: LoadInterval | undefined;
  return intervals
    .map((interval) => {
      const ms = value(interval);
      const isJoined = before !== undefined && before.toMs === interval.fromMs && before.phase === interval.phase;
      before = ms === undefined ? undefined : interval;
      if (ms === undefined) {
        return "";
      }
      const y = px(latency(ms));
      return `${isJoined ? `V${y}` : `M${px(x(interval.fromMs))} ${y}`}H${px(x(interval.toMs))}`;
    })
    .join("");
};

const spreadPath = (intervals: readonly LoadInterval[], { x, latency }: TimeScales): string =>
  intervals
    .map(({ fromMs, toMs, p50Ms, p95Ms }) =>
      p50Ms === undefined || p95Ms === undefined
        ? ""
        : `M${px(x(fromMs))} ${px(latency(p95Ms))}H${px(x(toMs))}V${px(latency(p50Ms))}H${px(x(fromMs))}Z`,
    )
    .join("");

/** Median and 95th percentile of each interval of an arm, the space between them tinted. */
export const ArmCourse = ({
  arm,
  intervals,
  scales,
}: {
  readonly arm: LoadInterval["arm"];
  readonly intervals: readonly LoadInterval[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const own = intervals.filter((interval) => interval.arm === arm);
  const { colour } = armMarks[arm];
  return (
    <g fill="none" stroke={colour}>
      <path d={spreadPath(own, scales)} fill={colour} fill-opacity="0.16" stroke="none" />
      <path d={stepPath(own, ({ p95Ms }) => p95Ms, scales)} stroke-width="1" stroke-opacity="0.9" {...unscaled} />
      <path d={stepPath(own, ({ p50Ms }) => p50Ms, scales)} stroke-width="2.4" {...unscaled} />
    </g>
  );
};

const barPath = (
  stretches: readonly RateStretch[],
  { x }: TimeScales,
  ends: (stretch: RateStretch) => readonly [number, number],
): string =>
  stretches
    .map((stretch) => {
      const [top, bottom] = ends(stretch);
      return top === bottom
        ? ""
        : `M${px(x(stretch.fromMs))} ${px(bottom)}V${px(top)}H${px(x(stretch.toMs))}V${px(bottom)}Z`;
    })
    .join("");

const plannedPath = (stretches: readonly RateStretch[], { x, rate }: TimeScales): string =>
  stretches
    .map(({ fromMs, toMs, plannedPerSecond }) => `M${px(x(fromMs))} ${px(rate(plannedPerSecond))}H${px(x(toMs))}`)
    .join("");

/** What went well as filled bars, what failed on top of it and as crosses above, what was to start as a line. */
export const RateMarks = ({
  stretches,
  scales,
}: {
  readonly stretches: readonly RateStretch[];
  readonly scales: TimeScales;
}): JSX.Element => {
  const { x, rate } = scales;
  const failing = stretches.filter(({ failed }) => failed > 0);
  return (
    <g>
      <path
        d={barPath(stretches, scales, ({ okPerSecond }) => [rate(okPerSecond), rate(0)])}
        fill={palette.good}
        fill-opacity="0.4"
      />
      <path
        d={barPath(stretches, scales, ({ okPerSecond, failedPerSecond }) => [
          rate(okPerSecond + failedPerSecond),
          rate(okPerSecond),
        ])}
        fill={palette.bad}
        fill-opacity="0.85"
      />
      <path d={plannedPath(stretches, scales)} stroke="currentColor" stroke-width="1.6" fill="none" {...unscaled} />
      <g fill={palette.bad} font-weight="700" text-anchor="middle">
        {failing.map(({ fromMs, toMs }) => (
          <text x={px((x(fromMs) + x(toMs)) / 2)} y={timePlot.failedY + 4}>
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
    .map(({ arm, phase, p50Ms, p95Ms }) => {
      const who = `${isPaired ? `${armMarks[arm].word} ` : ""}${phase === "warmup" ? "(warm-up) " : ""}`;
      return `${who}p50 ${msText(p50Ms)} ms, p95 ${msText(p95Ms)} ms`;
    });
  const counts = `planned ${stretch.planned}, ok ${stretch.ok}, ${counted(stretch.failed, "failure")}`;
  const when = `${stretch.fromMs / 1000} to ${stretch.toMs / 1000} s`;
  return [`${when}: ${counts}`, ...latencies].join("; ");
};

/** Invisible fields over both plots that tell the numbers of each stretch. */
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
      <path
        d={`M${px(scales.x(stretch.fromMs))} ${timePlot.top}v${timePlot.rateBottom - timePlot.top}H${px(scales.x(stretch.toMs))}V${timePlot.top}Z`}
      >
        <title>{hoverText(stretch, intervals, isPaired)}</title>
      </path>
    ))}
  </g>
);
