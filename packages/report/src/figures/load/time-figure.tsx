import { loadSides } from "@assay/contract";
import type { LoadInterval, LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { msText, plainNumber } from "../../document/shown-number.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame } from "../figure-frame.tsx";
import { PlanLine, SecondTicks, TimeLegend, ValueAxes, WarmUp } from "./time-axes.tsx";
import { type RateStretch, rateStretches, roomyIntervals } from "./time-course.ts";
import { SideCourse, HoverFields, RateMarks } from "./time-marks.tsx";
import { narrowTimePlot, timePlot, type TimeScales, timeScales } from "./time-scales.ts";
import { warmUpEndMs } from "./warm-up-end.ts";

const tableOf = (intervals: readonly LoadInterval[], isPaired: boolean): TableContent => ({
  caption: "Each stretch of the run by the moment of the planned sending; percentiles in milliseconds",
  head: ["from, to, s", "part", ...(isPaired ? ["side"] : []), "planned", "ok", "failed", "p50", "p95"],
  rows: intervals.map(({ fromMs, toMs, phase, side, planned, ok, failed, p50Ms, p95Ms }) => [
    `${fromMs / 1000}, ${toMs / 1000}`,
    phase === "warmup" ? "warm-up" : "",
    ...(isPaired ? [side] : []),
    planned,
    ok,
    failed,
    msText(p50Ms),
    msText(p95Ms),
  ]),
});

const highest = (intervals: readonly LoadInterval[]): LoadInterval | undefined =>
  intervals.reduce<LoadInterval | undefined>(
    (most, one) => ((one.p95Ms ?? 0) > (most?.p95Ms ?? 0) ? one : most),
    undefined,
  );

const describe = (intervals: readonly LoadInterval[], rates: readonly RateStretch[]): string => {
  const slowest = highest(intervals.filter(({ phase }) => phase === "measure"));
  const failed = rates.reduce((sum, one) => sum + one.failed, 0);
  const worst =
    slowest === undefined
      ? "nothing was measured"
      : `the highest p95 of the measured part is ${msText(slowest.p95Ms)} ms, from ${plainNumber(slowest.fromMs / 1000)} s on`;
  return `${counted(rates.length, "stretch", "stretches")} of time: ${worst}; ${counted(failed, "request")} failed, warm-up included`;
};

const captionOf = (load: LoadResult, grouped: number): string =>
  [
    "Each step is one stretch of time; a request is drawn at its planned time, from which its latency counts, so a stall is visible at its full length.",
    "Failed requests have no time and are marked separately.",
    "Percentiles of a stretch have few samples: look for shapes, not at single steps.",
    ...(load.run.against === undefined ? [] : ["The two targets alternated block by block; the rate is that of both."]),
    ...(load.intervals.some(({ toMs }) => toMs >= load.plan.durationMs + load.plan.warmupMs - 1)
      ? []
      : ["The empty part at the end was planned, but nothing started in it."]),
    ...(grouped > 1 ? [`${grouped} neighbours are drawn as one, the highest percentile standing for them.`] : []),
  ].join(" ");

/** Maximum number of distinguishable stretches on a narrow page. */
const narrowStretches = 150;

export interface TimeFigureProps {
  readonly id: string;
  /** With at least one interval. */
  readonly load: LoadResult;
  readonly void?: string | undefined;
}

/** Latencies, failures and rate over the time of the load. */
export const TimeFigure = ({ id, load, void: stamp }: TimeFigureProps): JSX.Element => {
  const { intervals, grouped } = roomyIntervals(load.intervals);
  const rates = rateStretches(intervals);
  const { ratePerSecond } = load.plan;
  const sides = loadSides.filter((side) => intervals.some((one) => one.side === side));
  const warmUpEnd = warmUpEndMs(load);
  const planned = { perSecond: ratePerSecond, endMs: load.plan.durationMs + load.plan.warmupMs };
  const isPaired = sides.length > 1;
  const marksIn = (scales: TimeScales, shown: readonly LoadInterval[]): JSX.Element => (
    <>
      {warmUpEnd > 0 ? <WarmUp endMs={warmUpEnd} scales={scales} /> : null}
      {sides.map((side) => (
        <SideCourse side={side} intervals={shown} scales={scales} />
      ))}
      <RateMarks stretches={rateStretches(shown)} scales={scales} />
      <SecondTicks scales={scales} />
    </>
  );
  const wide = timeScales(intervals, rates, planned);
  const { intervals: few } = roomyIntervals(load.intervals, narrowStretches);
  const narrow = timeScales(few, rateStretches(few), { ...planned, plot: narrowTimePlot });
  return (
    <FigureFrame
      id={id}
      title="Latency and rate over time"
      description={describe(intervals, rates)}
      height={timePlot.height}
      caption={captionOf(load, grouped)}
      table={tableOf(intervals, isPaired)}
      isZoomable
      void={stamp}
      narrow={{
        height: narrowTimePlot.height,
        children: (
          <g font-size="11">
            <ValueAxes scales={narrow} />
            <TimeLegend sides={sides} scales={narrow} isNarrow />
            {marksIn(narrow, few)}
            <PlanLine perSecond={ratePerSecond} scales={narrow} />
          </g>
        ),
      }}
    >
      <ValueAxes scales={wide} />
      <TimeLegend sides={sides} scales={wide} />
      <g data-zoom-target={`${timePlot.left} ${timePlot.right}`}>
        {marksIn(wide, intervals)}
        <HoverFields stretches={rates} intervals={intervals} isPaired={isPaired} scales={wide} />
      </g>
      <PlanLine perSecond={ratePerSecond} scales={wide} />
    </FigureFrame>
  );
};
