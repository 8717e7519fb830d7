import { histogramQuantile, type LoadHistogram } from "@assay/results";
import type { JSX } from "preact";
import { counted, durationOf } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { timeText, msText } from "../../document/shown-number.ts";
import { maxTimeText } from "../../document/load-sections.ts";
import { CdfSide } from "./cdf-side.tsx";
import { cdfPlot, cdfScales, type CdfScales, minFraction, narrowCdfPlot } from "./cdf-scales.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame, narrowWidth } from "../figure-frame.tsx";
import { sideMarks, type LatencySide } from "./latency-side.ts";
import { logTicks } from "../log-ticks.ts";
import { markedPercentiles, type PercentileRule, percentileRules } from "./percentile-rules.ts";
import { intervalText, percentileText, shiftText } from "../../document/percentile-text.ts";
import { px } from "../svg-number.ts";
import { StraightLine } from "../straight-line.tsx";

interface RuledSide {
  readonly side: LatencySide;
  readonly rules: readonly PercentileRule[];
}

/** Width of a time label, with space to the next. */
const tickRoom = 54;

/** Height of a share label. */
const labelRoom = 13;

const shares = [
  { label: "p1", fraction: 0.01 },
  { label: "p10", fraction: 0.1 },
  ...markedPercentiles.map(({ name, fraction }) => ({ label: name, fraction })),
] as const;

/** Labels without overlap. */
const apart = <Item,>(items: readonly Item[], at: (item: Item) => number, room: number): readonly Item[] => {
  const shown: Item[] = [];
  for (const item of items) {
    const last = shown.at(-1);
    if (last === undefined || Math.abs(at(item) - at(last)) >= room) {
      shown.push(item);
    }
  }
  return shown;
};

const Axes = ({ scales }: { readonly scales: CdfScales }): JSX.Element => (
  <g class="fig-axis">
    {apart(logTicks(...scales.domainMicros), scales.x, tickRoom).map((micros) => (
      <g>
        <StraightLine
          from={[scales.x(micros), scales.plot.top]}
          to={[scales.x(micros), scales.plot.bottom + 5]}
          stroke={palette.grid}
          stroke-opacity="0.3"
        />
        <text x={px(scales.x(micros))} y={scales.plot.bottom + 20} text-anchor="middle" fill="currentColor">
          {durationOf(micros)}
        </text>
      </g>
    ))}
    {apart(
      shares.filter(({ fraction }) => fraction <= scales.max),
      ({ fraction }) => scales.y(fraction),
      labelRoom,
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
            {`${sides.length > 1 ? `${side}, ` : ""}${sampleText(histogram)}`}
          </text>
        </g>
      );
    })}
  </g>
);

/** The value of a percentile, or its lower bound if it is censored. */
const ruleValue = (rule: PercentileRule | undefined): string =>
  rule === undefined ? msText(undefined) : timeText(rule.value, rule.isCensored);

/** Percentiles on the curve. */
const placed = (rules: readonly PercentileRule[]): readonly PercentileRule[] =>
  rules.filter(({ isCensored }) => isCensored !== true);

const ruleText = (name: string, sides: readonly RuledSide[]): readonly [string, string] => {
  const [first, second] = sides.map(({ rules }) => rules.find((rule) => rule.name === name));
  if (sides.length > 1) {
    return [`${ruleValue(first)} → ${ruleValue(second)} ms`, shiftText(first, second)];
  }
  return [`${ruleValue(first)} ms`, first === undefined ? "" : (intervalText(first) ?? "")];
};

interface LabelLine {
  readonly name: string;
  readonly y: number;
  readonly value: string;
  readonly detail: string;
}

const maximumLine = (sides: readonly RuledSide[]): LabelLine => {
  const values = sides.map(({ side: { histogram, metric } }) =>
    metric === undefined ? msText(histogram.maxMicros / 1000) : maxTimeText(metric),
  );
  const value = `${values.join(" → ")} ms`;
  return { name: "max", y: cdfPlot.top + 4, value, detail: "" };
};

const labelLines = (sides: readonly RuledSide[], scales: CdfScales): readonly LabelLine[] => [
  maximumLine(sides),
  ...markedPercentiles
    .filter(({ name }) => sides.some(({ rules }) => rules.some((rule) => rule.name === name)))
    .map(({ name, fraction }) => {
      const [value, detail] = ruleText(name, sides);
      return { name, y: px(scales.y(fraction) + 4), value, detail };
    }),
];

const RuleLabels = ({ sides, scales }: { readonly sides: readonly RuledSide[]; readonly scales: CdfScales }) => (
  <g font-size="13">
    {labelLines(sides, scales).map(({ name, y, value, detail }) => (
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
const Shifts = ({ sides, scales }: { readonly sides: readonly RuledSide[]; readonly scales: CdfScales }) => {
  const [base, head] = sides;
  return (
    <g stroke="currentColor" stroke-width="1.5" stroke-opacity="0.7">
      {placed(base?.rules ?? []).flatMap(({ name, value, fraction }) => {
        const other = placed(head?.rules ?? []).find((rule) => rule.name === name);
        const from = px(scales.x(value * 1000));
        return other === undefined
          ? []
          : [
              <StraightLine
                from={[from, scales.y(fraction)]}
                to={[scales.x(other.value * 1000), scales.y(fraction)]}
              />,
            ];
      })}
    </g>
  );
};

const tableOf = (name: string, sides: readonly RuledSide[]): TableContent => {
  const isPaired = sides.length > 1;
  const words = sides.map(({ side }) => (isPaired ? `${side.side}, ms` : "ms"));
  return {
    caption: `Percentiles of ${name} with their 95 % intervals, from the planned sending`,
    head: ["percentile", ...words, ...(isPaired ? ["shift"] : [])],
    rows: markedPercentiles.map((marked) => {
      const found = sides.map(({ rules }) => rules.find((rule) => rule.name === marked.name));
      const mark = found.some((rule) => rule?.isExact === false) ? `${marked.name} (from the histogram)` : marked.name;
      return [mark, ...found.map(percentileText), ...(isPaired ? [shiftText(found[0], found[1])] : [])];
    }),
  };
};

const sampleText = ({ count, censored = [] }: LoadHistogram): string => {
  const waiting = censored.reduce((sum, [, samples]) => sum + samples, 0);
  return `${counted(count, "sample")}${waiting === 0 ? "" : ` and ${waiting} unfinished`}`;
};

const method = (sides: readonly LatencySide[]): string => {
  const counts = sides.map(({ histogram }) => sampleText(histogram)).join(" and ");
  return [
    `${counts}. Shaded: 95 % band per percentile (assumes independent samples). Log time axis.`,
    ...(sides.some(({ histogram }) => histogram.censored !== undefined)
      ? ["Kaplan-Meier estimate: the curve ends where the last response was no longer awaited."]
      : []),
    ...(sides.length > 1 ? ["The verdict comes from the comparison, not from this chart."] : []),
  ].join(" ");
};

const describe = (name: string, sides: readonly RuledSide[]): string =>
  sides
    .map(({ side, rules }) => {
      const values = rules.map((rule) => `${rule.name} ${ruleValue(rule)} ms`).join(", ");
      return `${side.side}: ${values === "" ? `${name} has too few samples for a percentile` : values}`;
    })
    .join("; ");

/** The content of the plot, for both widths. */
const Curves = ({ sides, scales }: { readonly sides: readonly RuledSide[]; readonly scales: CdfScales }) => (
  <>
    <Axes scales={scales} />
    {sides.map(({ side, rules }) => (
      <CdfSide side={side} rules={placed(rules)} scales={scales} />
    ))}
    <Shifts sides={sides} scales={scales} />
  </>
);

const narrowLine = 20;

/** The percentiles in lines below the plot of a narrow page. */
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
  /** Name of the metric in words. */
  readonly name: string;
  /** One or two, each with at least one sample. */
  readonly sides: readonly LatencySide[];
  readonly void?: string | undefined;
}

/** How the latencies of a metric are spread: the distribution of each side with bands, percentiles marked and written out. */
export const CdfFigure = ({ id, name, sides, void: stamp }: CdfFigureProps): JSX.Element => {
  const ruled = sides.map((side) => ({ side, rules: percentileRules(side.histogram, side.metric) }));
  const ends = sides.flatMap(({ histogram }) => [
    histogramQuantile(histogram, minFraction) ?? histogram.minMicros,
    histogram.maxMicros,
  ]);
  const maxCount = Math.max(...sides.map(({ histogram }) => histogram.count));
  const scales = cdfScales(ends, maxCount);
  const lines = labelLines(ruled, scales);
  return (
    <FigureFrame
      id={id}
      title={`Distribution of the time to the ${name}`}
      description={describe(name, ruled)}
      height={cdfPlot.bottom + 50}
      caption={method(sides)}
      table={tableOf(name, ruled)}
      void={stamp}
      narrow={{
        height: narrowCdfPlot.bottom + 54 + lines.length * narrowLine,
        children: (
          <g font-size="11">
            <Legend sides={sides} left={4} step={narrowWidth / 2} />
            <Curves sides={ruled} scales={cdfScales(ends, maxCount, narrowCdfPlot)} />
            <NarrowLabels lines={lines} />
          </g>
        ),
      }}
    >
      <Legend sides={sides} left={cdfPlot.left} step={220} />
      <Curves sides={ruled} scales={scales} />
      <RuleLabels sides={ruled} scales={scales} />
    </FigureFrame>
  );
};
