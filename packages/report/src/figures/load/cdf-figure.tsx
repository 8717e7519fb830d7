import { histogramQuantile, type LoadHistogram } from "@assay/results";
import type { JSX } from "preact";
import { counted, formatDuration } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { formatTime, formatMs } from "../../document/shown-number.ts";
import { formatMaxTime } from "../../document/load-sections.ts";
import { CdfSide } from "./cdf-side.tsx";
import { cdfPlot, computeCdfScales, type CdfScales, minFraction, narrowCdfPlot } from "./cdf-scales.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame, narrowWidth } from "../figure-frame.tsx";
import { sideMarks, type LatencySide } from "./latency-side.ts";
import { listLogTicks } from "../log-ticks.ts";
import { markedPercentiles, type PlottedPercentile, selectPlottedPercentiles } from "./plotted-percentiles.ts";
import { formatInterval, formatPercentile, formatShift } from "../../document/percentile-text.ts";
import { px } from "../svg-number.ts";
import { StraightLine } from "../straight-line.tsx";

interface PlottedSide {
  readonly side: LatencySide;
  readonly percentiles: readonly PlottedPercentile[];
}

/** Minimum distance between time labels: the width of a label, and some space. */
const minTickDistance = 54;

/** Minimum distance between share labels: the height of a label. */
const minLabelDistance = 13;

const shares = [
  { label: "p1", fraction: 0.01 },
  { label: "p10", fraction: 0.1 },
  ...markedPercentiles.map(({ name, fraction }) => ({ label: name, fraction })),
] as const;

/** Selects items that are at least `minDistance` apart. */
const spaceOut = <Item,>(
  items: readonly Item[],
  position: (item: Item) => number,
  minDistance: number,
): readonly Item[] => {
  const visible: Item[] = [];
  for (const item of items) {
    const last = visible.at(-1);
    if (last === undefined || Math.abs(position(item) - position(last)) >= minDistance) {
      visible.push(item);
    }
  }
  return visible;
};

const Axes = ({ scales }: { readonly scales: CdfScales }): JSX.Element => (
  <g class="fig-axis">
    {spaceOut(listLogTicks(...scales.domainMicros), scales.x, minTickDistance).map((micros) => (
      <g>
        <StraightLine
          from={[scales.x(micros), scales.plot.top]}
          to={[scales.x(micros), scales.plot.bottom + 5]}
          stroke={palette.grid}
          stroke-opacity="0.3"
        />
        <text x={px(scales.x(micros))} y={scales.plot.bottom + 20} text-anchor="middle" fill="currentColor">
          {formatDuration(micros)}
        </text>
      </g>
    ))}
    {spaceOut(
      shares.filter(({ fraction }) => fraction <= scales.max),
      ({ fraction }) => scales.y(fraction),
      minLabelDistance,
    ).map(({ label, fraction }) => (
      <g>
        <StraightLine
          from={[scales.plot.left - 5, scales.y(fraction)]}
          to={[scales.plot.right, scales.y(fraction)]}
          stroke={palette.grid}
          stroke-opacity="0.3"
        />
        <text x={scales.plot.left - 9} y={px(scales.y(fraction) + 4)} text-anchor="end" fill="currentColor">
          {label}
        </text>
      </g>
    ))}
    <StraightLine
      from={[scales.plot.left, scales.plot.bottom]}
      to={[scales.plot.right, scales.plot.bottom]}
      stroke={palette.grid}
    />
    <text x={scales.plot.right} y={scales.plot.bottom + 40} text-anchor="end" fill="currentColor">
      time from the planned sending →
    </text>
  </g>
);

interface LegendProps {
  readonly sides: readonly LatencySide[];
  readonly left: number;
  /** Distance between the starts of two sides. */
  readonly step: number;
}

const Legend = ({ sides, left: start, step }: LegendProps): JSX.Element => (
  <g>
    {sides.map(({ side, histogram }, index) => {
      const { colour, dashes } = sideMarks[side];
      const left = start + index * step;
      return (
        <g>
          <StraightLine
            from={[left, 18]}
            to={[left + 26, 18]}
            stroke={colour}
            stroke-width="2.5"
            {...(dashes === undefined ? {} : { "stroke-dasharray": dashes })}
          />
          <text x={left + 34} y="22" font-size="13" fill="currentColor">
            {`${sides.length > 1 ? `${side}, ` : ""}${formatSampleCount(histogram)}`}
          </text>
        </g>
      );
    })}
  </g>
);

/** Formats the value of a percentile, or its lower bound if it is censored. */
const formatPercentileValue = (percentile: PlottedPercentile | undefined): string =>
  percentile === undefined ? formatMs(undefined) : formatTime(percentile.value, percentile.isCensored);

/** Selects the percentiles that are on the curve. */
const selectUncensored = (percentiles: readonly PlottedPercentile[]): readonly PlottedPercentile[] =>
  percentiles.filter(({ isCensored }) => isCensored !== true);

const formatPercentiles = (name: string, sides: readonly PlottedSide[]): readonly [string, string] => {
  const [first, second] = sides.map(({ percentiles }) => percentiles.find((percentile) => percentile.name === name));
  if (sides.length > 1) {
    return [`${formatPercentileValue(first)} → ${formatPercentileValue(second)} ms`, formatShift(first, second)];
  }
  return [`${formatPercentileValue(first)} ms`, first === undefined ? "" : (formatInterval(first) ?? "")];
};

interface LabelLine {
  readonly name: string;
  readonly y: number;
  readonly value: string;
  readonly detail: string;
}

const createMaximumLabel = (sides: readonly PlottedSide[]): LabelLine => {
  const values = sides.map(({ side: { histogram, metric } }) =>
    metric === undefined ? formatMs(histogram.maxMicros / 1000) : formatMaxTime(metric),
  );
  const value = `${values.join(" → ")} ms`;
  return { name: "max", y: cdfPlot.top + 4, value, detail: "" };
};

const createLabelLines = (sides: readonly PlottedSide[], scales: CdfScales): readonly LabelLine[] => [
  createMaximumLabel(sides),
  ...markedPercentiles
    .filter(({ name }) => sides.some(({ percentiles }) => percentiles.some((percentile) => percentile.name === name)))
    .map(({ name, fraction }) => {
      const [value, detail] = formatPercentiles(name, sides);
      return { name, y: px(scales.y(fraction) + 4), value, detail };
    }),
];

const PercentileLabels = ({
  sides,
  scales,
}: {
  readonly sides: readonly PlottedSide[];
  readonly scales: CdfScales;
}) => (
  <g font-size="13">
    {createLabelLines(sides, scales).map(({ name, y, value, detail }) => (
      <g>
        <text x={cdfPlot.right + 10} y={y} font-weight="600" fill="currentColor">
          {name}
        </text>
        <text x={cdfPlot.right + 60} y={y} fill="currentColor">
          {value}
        </text>
        <text x="956" y={y} text-anchor="end" fill="currentColor">
          {detail}
        </text>
      </g>
    ))}
  </g>
);

/** Lines between the percentiles of two sides: their length is the shift. */
const Shifts = ({ sides, scales }: { readonly sides: readonly PlottedSide[]; readonly scales: CdfScales }) => {
  const [base, head] = sides;
  return (
    <g stroke="currentColor" stroke-width="1.5" stroke-opacity="0.7">
      {selectUncensored(base?.percentiles ?? []).flatMap(({ name, value, fraction }) => {
        const headPercentile = selectUncensored(head?.percentiles ?? []).find((percentile) => percentile.name === name);
        const from = px(scales.x(value * 1000));
        return headPercentile === undefined
          ? []
          : [
              <StraightLine
                from={[from, scales.y(fraction)]}
                to={[scales.x(headPercentile.value * 1000), scales.y(fraction)]}
              />,
            ];
      })}
    </g>
  );
};

const createPercentileTable = (name: string, sides: readonly PlottedSide[]): TableContent => {
  const isPaired = sides.length > 1;
  const columnNames = sides.map(({ side }) => (isPaired ? `${side.side}, ms` : "ms"));
  return {
    caption: `Percentiles of ${name} with their 95 % intervals, from the planned sending`,
    head: ["percentile", ...columnNames, ...(isPaired ? ["shift"] : [])],
    rows: markedPercentiles.map((marked) => {
      const rowPercentiles = sides.map(({ percentiles }) =>
        percentiles.find(({ name: candidate }) => candidate === marked.name),
      );
      const label = rowPercentiles.some((percentile) => percentile?.isExact === false)
        ? `${marked.name} (from the histogram)`
        : marked.name;
      return [
        label,
        ...rowPercentiles.map(formatPercentile),
        ...(isPaired ? [formatShift(rowPercentiles[0], rowPercentiles[1])] : []),
      ];
    }),
  };
};

const formatSampleCount = ({ count, censored = [] }: LoadHistogram): string => {
  const unfinished = censored.reduce((sum, [, samples]) => sum + samples, 0);
  return `${counted(count, "sample")}${unfinished === 0 ? "" : ` and ${unfinished} unfinished`}`;
};

const formatCaption = (sides: readonly LatencySide[]): string => {
  const counts = sides.map(({ histogram }) => formatSampleCount(histogram)).join(" and ");
  return [
    `${counts}. Shaded: 95 % band per percentile (assumes independent samples). Log time axis.`,
    ...(sides.some(({ histogram }) => histogram.censored !== undefined)
      ? ["Kaplan-Meier estimate: the curve ends where the last response was no longer awaited."]
      : []),
    ...(sides.length > 1 ? ["The verdict comes from the comparison, not from this chart."] : []),
  ].join(" ");
};

const describeSides = (name: string, sides: readonly PlottedSide[]): string =>
  sides
    .map(({ side, percentiles }) => {
      const values = percentiles
        .map((percentile) => `${percentile.name} ${formatPercentileValue(percentile)} ms`)
        .join(", ");
      return `${side.side}: ${values === "" ? `${name} has too few samples for a percentile` : values}`;
    })
    .join("; ");

/** Draws the content of the plot, for both widths. */
const Curves = ({ sides, scales }: { readonly sides: readonly PlottedSide[]; readonly scales: CdfScales }) => (
  <>
    <Axes scales={scales} />
    {sides.map(({ side, percentiles }) => (
      <CdfSide side={side} percentiles={selectUncensored(percentiles)} scales={scales} />
    ))}
    <Shifts sides={sides} scales={scales} />
  </>
);

const narrowLine = 20;

/** Lists the percentiles below the plot of a narrow page. */
const NarrowLabels = ({ lines }: { readonly lines: readonly LabelLine[] }): JSX.Element => (
  <g font-size="12.5" fill="currentColor">
    {lines.map(({ name, value, detail }, index) => {
      const y = narrowCdfPlot.bottom + 62 + index * narrowLine;
      return (
        <g>
          <text x="4" y={y} font-weight="600">
            {name}
          </text>
          <text x="56" y={y}>
            {value}
          </text>
          <text x={narrowWidth - 4} y={y} text-anchor="end">
            {detail}
          </text>
        </g>
      );
    })}
  </g>
);

export interface CdfFigureProps {
  readonly id: string;
  /** Name of the metric, such as `first match`. */
  readonly name: string;
  /** One or two, each with at least one sample. */
  readonly sides: readonly LatencySide[];
  readonly stamp?: string | undefined;
}

/** Plots the latency distribution of a metric for each side, with bands, and its percentiles as marks and numbers. */
export const CdfFigure = ({ id, name, sides, stamp }: CdfFigureProps): JSX.Element => {
  const plottedSides = sides.map((side) => ({
    side,
    percentiles: selectPlottedPercentiles(side.histogram, side.metric),
  }));
  const timeBounds = sides.flatMap(({ histogram }) => [
    histogramQuantile(histogram, minFraction) ?? histogram.minMicros,
    histogram.maxMicros,
  ]);
  const maxCount = Math.max(...sides.map(({ histogram }) => histogram.count));
  const scales = computeCdfScales(timeBounds, maxCount);
  const lines = createLabelLines(plottedSides, scales);
  return (
    <FigureFrame
      id={id}
      title={`Distribution of the time to the ${name}`}
      description={describeSides(name, plottedSides)}
      height={cdfPlot.bottom + 50}
      caption={formatCaption(sides)}
      table={createPercentileTable(name, plottedSides)}
      stamp={stamp}
      narrow={{
        height: narrowCdfPlot.bottom + 54 + lines.length * narrowLine,
        children: (
          <g font-size="11">
            <Legend sides={sides} left={4} step={narrowWidth / 2} />
            <Curves sides={plottedSides} scales={computeCdfScales(timeBounds, maxCount, narrowCdfPlot)} />
            <NarrowLabels lines={lines} />
          </g>
        ),
      }}
    >
      <Legend sides={sides} left={cdfPlot.left} step={220} />
      <Curves sides={plottedSides} scales={scales} />
      <PercentileLabels sides={plottedSides} scales={scales} />
    </FigureFrame>
  );
};
