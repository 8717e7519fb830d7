import { loadSides } from "@assay/contract";
import type { LoadInterval, LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { formatMs, formatNumber } from "../../document/shown-number.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame } from "../figure-frame.tsx";
import { PlanLine, SecondTicks, TimeLegend, ValueAxes, WarmUp } from "./time-axes.tsx";
import { type RatePeriod, createRatePeriods, mergeIntervals } from "./time-course.ts";
import { SideCourse, HoverFields, RateMarks } from "./time-marks.tsx";
import { narrowTimePlot, timePlot, type TimeScales, createTimeScales } from "./time-scales.ts";
import { findWarmUpEndMs } from "./warm-up-end.ts";

const createIntervalTable = (intervals: readonly LoadInterval[], isPaired: boolean): TableContent => ({
  caption: "Each stretch of the run by the moment of the planned sending; percentiles in milliseconds",
  head: ["from, to, s", "part", ...(isPaired ? ["side"] : []), "planned", "ok", "failed", "p50", "p95"],
  rows: intervals.map(({ fromMs, toMs, phase, side, planned, ok, failed, p50Ms, p95Ms }) => [
    `${fromMs / 1000}, ${toMs / 1000}`,
    phase === "warmup" ? "warm-up" : "",
    ...(isPaired ? [side] : []),
    planned,
    ok,
    failed,
    formatMs(p50Ms),
    formatMs(p95Ms),
  ]),
});

const findSlowestInterval = (intervals: readonly LoadInterval[]): LoadInterval | undefined =>
  intervals.reduce<LoadInterval | undefined>(
    (slowest, interval) => ((interval.p95Ms ?? 0) > (slowest?.p95Ms ?? 0) ? interval : slowest),
    undefined,
  );

const describeCourse = (intervals: readonly LoadInterval[], rates: readonly RatePeriod[]): string => {
  const slowest = findSlowestInterval(intervals.filter(({ phase }) => phase === "measure"));
  const failed = rates.reduce((sum, period) => sum + period.failed, 0);
  const slowestText =
    slowest === undefined
      ? "nothing was measured"
      : `the highest p95 of the measured part is ${formatMs(slowest.p95Ms)} ms, from ${formatNumber(slowest.fromMs / 1000)} s on`;
  return `${counted(rates.length, "stretch", "stretches")} of time: ${slowestText}; ${counted(failed, "request")} failed, warm-up included`;
};

const formatCaption = (load: LoadResult, groupSize: number): string =>
  [
    "Each step is one stretch of time; a request is drawn at its planned time, from which its latency counts, so a stall is visible at its full length.",
    "Failed requests have no time and are marked separately.",
    "Percentiles of a stretch have few samples: look for shapes, not at single steps.",
    ...(load.run.against === undefined ? [] : ["The two targets alternated block by block; the rate is that of both."]),
    ...(load.intervals.some(({ toMs }) => toMs >= load.plan.durationMs + load.plan.warmupMs - 1)
      ? []
      : ["The empty part at the end was planned, but nothing started in it."]),
    ...(groupSize > 1 ? [`${groupSize} neighbours are drawn as one, the highest percentile standing for them.`] : []),
  ].join(" ");

/** Maximum number of distinguishable periods on a narrow page. */
const maxNarrowPeriods = 150;

export interface TimeFigureProps {
  readonly id: string;
  /** A load with at least one interval. */
  readonly load: LoadResult;
  readonly stamp?: string | undefined;
}

/** Plots latencies, failures and rate over the time of the load. */
export const TimeFigure = ({ id, load, stamp }: TimeFigureProps): JSX.Element => {
  const { intervals, groupSize } = mergeIntervals(load.intervals);
  const rates = createRatePeriods(intervals);
  const { ratePerSecond } = load.plan;
  const sides = loadSides.filter((side) => intervals.some((interval) => interval.side === side));
  const warmUpEnd = findWarmUpEndMs(load);
  const plannedLoad = { perSecond: ratePerSecond, endMs: load.plan.durationMs + load.plan.warmupMs };
  const isPaired = sides.length > 1;
  const renderMarks = (scales: TimeScales, shownIntervals: readonly LoadInterval[]): JSX.Element => (
    <>
      {warmUpEnd > 0 ? <WarmUp endMs={warmUpEnd} scales={scales} /> : null}
      {sides.map((side) => (
        <SideCourse side={side} intervals={shownIntervals} scales={scales} />
      ))}
      <RateMarks periods={createRatePeriods(shownIntervals)} scales={scales} />
      <SecondTicks scales={scales} />
    </>
  );
  const wideScales = createTimeScales(intervals, rates, plannedLoad);
  const { intervals: narrowIntervals } = mergeIntervals(load.intervals, maxNarrowPeriods);
  const narrowScales = createTimeScales(narrowIntervals, createRatePeriods(narrowIntervals), {
    ...plannedLoad,
    plot: narrowTimePlot,
  });
  return (
    <FigureFrame
      id={id}
      title="Latency and rate over time"
      description={describeCourse(intervals, rates)}
      height={timePlot.height}
      caption={formatCaption(load, groupSize)}
      table={createIntervalTable(intervals, isPaired)}
      isZoomable
      stamp={stamp}
      narrow={{
        height: narrowTimePlot.height,
        children: (
          <g font-size="11">
            <ValueAxes scales={narrowScales} />
            <TimeLegend sides={sides} scales={narrowScales} isNarrow />
            {renderMarks(narrowScales, narrowIntervals)}
            <PlanLine perSecond={ratePerSecond} scales={narrowScales} />
          </g>
        ),
      }}
    >
      <ValueAxes scales={wideScales} />
      <TimeLegend sides={sides} scales={wideScales} />
      <g data-zoom-target={`${timePlot.left} ${timePlot.right}`}>
        {renderMarks(wideScales, intervals)}
        <HoverFields periods={rates} intervals={intervals} isPaired={isPaired} scales={wideScales} />
      </g>
      <PlanLine perSecond={ratePerSecond} scales={wideScales} />
    </FigureFrame>
  );
};
