import type { LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { pageCaps } from "../../printers/html/page-caps.ts";
import { More } from "../../printers/html/prose.tsx";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame } from "../figure-frame.tsx";
import { metricWords } from "../../document/load-words.ts";
import {
  describeGroupDifferences,
  describeGroup,
  isForTrend,
  type TrendGroup,
  createTrendGroups,
} from "./trend-groups.ts";
import { px } from "../svg-number.ts";
import { narrowTrendPlot, computeRunX, TrendPanel, type TrendPlot, trendPlot } from "./trend-panel.tsx";
import { isUsable, formatStart, type TrendSeries, createTrendSeries } from "./trend-series.ts";

/** Maximum number of drawn runs, the latest ones. */
const maxRuns = 60;
/** Maximum number of drawn trends. */
const maxGroups = 6;

const computePanelsHeight = ({ panelHeight, gap, top }: TrendPlot): number => 3 * (panelHeight + gap) + top;

/** Width of a date label, with the space to the next one. */
const dateWidth = 104;

interface DrawnTrend {
  readonly loads: readonly LoadResult[];
  readonly series: readonly TrendSeries[];
  readonly plot: TrendPlot;
}

const Dates = ({ loads, plot }: Omit<DrawnTrend, "series">): JSX.Element => {
  const runDistance =
    loads.length > 1 ? computeRunX(plot, 1, loads.length) - computeRunX(plot, 0, loads.length) : dateWidth;
  const labelStep = Math.ceil(dateWidth / Math.max(1, runDistance));
  return (
    <g class="fig-axis" font-size="11" fill="currentColor">
      {loads.map((load, index) =>
        index % labelStep === 0 ? (
          <text
            x={px(computeRunX(plot, index, loads.length))}
            y={computePanelsHeight(plot) + (plot.isNarrow ? -14 : 2)}
            text-anchor={plot.isNarrow && index === 0 ? "start" : "middle"}
          >
            {formatStart(load)}
          </text>
        ) : null,
      )}
    </g>
  );
};

const formatOutcome = (load: LoadResult): string => {
  const { sign, word } = outcomeWords[load.outcome];
  const usabilityNote = load.trust.valid ? (load.complete ? "" : ", ended early") : ", invalid";
  return `${sign} ${word}${usabilityNote}`;
};

const createTrendTable = ({ loads }: TrendGroup, series: readonly TrendSeries[]): TableContent => ({
  caption: "The runs of this trend in the order of their start, percentiles with their 95 % intervals",
  head: ["start, UTC", "run", "outcome", ...series.map(({ name }) => name)],
  rows: loads.map((load, index) => [
    formatStart(load),
    escapeForDisplay(load.run.id, "name"),
    formatOutcome(load),
    ...series.map(({ points }) => points[index]?.text ?? "-"),
  ]),
});

const formatCaption = ({ metric }: TrendGroup, omittedCount: number, unusableCount: number): string =>
  [
    `Time to the ${metric === undefined ? "answer" : metricWords[metric]} and share of failed requests, run by run in equal steps; bars are 95 % intervals (order statistics, Wilson).`,
    ...(unusableCount > 0
      ? [`Hollow: ${counted(unusableCount, "run")} whose figures are not to be used; no line leads there.`]
      : []),
    ...(omittedCount > 0 ? [`${counted(omittedCount, "earlier run")} left out.`] : []),
    "Runs also differ by chance, which the interval of one run does not include. Decide with a comparison.",
  ].join(" ");

const describeTrend = (group: TrendGroup, series: readonly TrendSeries[]): string =>
  `${counted(group.loads.length, "run")} from ${group.loads.slice(0, 1).map(formatStart).join("")} to ${group.loads.slice(-1).map(formatStart).join("")}; latest: ${series
    .map(({ name, points }) => `${name} ${points.at(-1)?.text ?? "-"}`)
    .join(", ")}`;

const Panels = ({ loads, series, plot }: DrawnTrend): JSX.Element => (
  <>
    {series.map((panelSeries, index) => (
      <TrendPanel series={panelSeries} index={index} plot={plot} />
    ))}
    <Dates loads={loads} plot={plot} />
  </>
);

const TrendFigure = ({ id, group: fullGroup }: { readonly id: string; readonly group: TrendGroup }): JSX.Element => {
  const group = { ...fullGroup, loads: fullGroup.loads.slice(-maxRuns) };
  const series = createTrendSeries(group);
  const unusableCount = group.loads.filter((load) => !isUsable(load)).length;
  return (
    <FigureFrame
      id={id}
      title="Trend over stored runs"
      description={describeTrend(group, series)}
      height={computePanelsHeight(trendPlot) + 10}
      caption={formatCaption(group, fullGroup.loads.length - group.loads.length, unusableCount)}
      table={createTrendTable(group, series)}
      narrow={{
        height: computePanelsHeight(narrowTrendPlot),
        children: <Panels loads={group.loads} series={series} plot={narrowTrendPlot} />,
      }}
    >
      <Panels loads={group.loads} series={series} plot={trendPlot} />
    </FigureFrame>
  );
};

/** A trend of comparable runs with its heading. */
const TrendSection = ({ id, group }: { readonly id: string; readonly group: TrendGroup }): JSX.Element => (
  <>
    <p>
      <strong>{describeGroup(group)}</strong> ({counted(group.loads.length, "run")})
    </p>
    <TrendFigure id={id} group={group} />
  </>
);

/** Counts the runs in trends and the other runs, in one paragraph. */
const describeTrends = (groups: readonly TrendGroup[], pairedRunCount: number): string => {
  const trends = groups.filter(isTrend);
  const singleRunCount = groups.length - trends.length;
  const runs = counted(
    trends.reduce((sum, { loads }) => sum + loads.length, 0),
    "run",
  );
  return [
    ...(groups.length === 0 ? ["There is no load run on one target, so there is no trend."] : []),
    ...(trends.length === 0 && singleRunCount > 0
      ? ["No two runs are comparable, and a trend needs at least two."]
      : []),
    ...(trends.length === 1 ? [`One trend, of ${runs} that were made alike.`] : []),
    ...(trends.length > 1 ? [`${runs} make ${trends.length} trends, each of runs that were made alike.`] : []),
    ...(trends.length > maxGroups ? [`The latest ${maxGroups} are drawn.`] : []),
    ...(trends.length > 0 && singleRunCount > 0
      ? [`${counted(singleRunCount, "run")} ${singleRunCount === 1 ? "is" : "are"} like no other.`]
      : []),
    ...(pairedRunCount > 0
      ? [`${counted(pairedRunCount, "run")} on two targets left out: each of them holds its own comparison.`]
      : []),
  ].join(" ");
};

const isTrend = ({ loads }: TrendGroup): boolean => loads.length > 1;

/** Lists the differences of each group from the latest run's group, folded. */
const Differences = ({ groups: [latest, ...others] }: { readonly groups: readonly TrendGroup[] }) =>
  latest === undefined || others.length === 0 ? null : (
    <details>
      <summary>Why runs are not joined to the latest</summary>
      <p>
        The latest: <strong>{describeGroup(latest)}</strong> ({formatRuns(latest)})
      </p>
      <ul>
        {others.slice(0, pageCaps.items).map((group) => (
          <li>
            <strong>{describeGroup(group)}</strong> ({formatRuns(group)}):{" "}
            {describeGroupDifferences(group, latest).join("; ")}
          </li>
        ))}
      </ul>
      <More count={others.length - pageCaps.items} noun="of them" plural="of them" />
    </details>
  );

const formatRuns = ({ loads }: TrendGroup): string =>
  loads.length === 1
    ? loads.map((load) => `${formatStart(load)}, ${formatOutcome(load)}`).join("")
    : counted(loads.length, "run");

export interface LoadTrendProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly loads: readonly LoadResult[];
}

/**
 * Plots runs over time: median, 95th percentile and share of failures. Only comparable runs are joined, and the latest
 * run's group comes first. Exploratory, without a verdict.
 */
export const LoadTrend = ({ id, loads }: LoadTrendProps): JSX.Element => {
  const groups = createTrendGroups(loads);
  const pairedRunCount = loads.filter((load) => !isForTrend(load)).length;
  return (
    <div>
      <p>{describeTrends(groups, pairedRunCount)}</p>
      {groups
        .filter(isTrend)
        .slice(0, maxGroups)
        .map((group, index) => (
          <TrendSection id={`${id}-${index + 1}`} group={group} />
        ))}
      <Differences groups={groups} />
    </div>
  );
};
