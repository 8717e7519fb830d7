import type { Comparison, MetricComparison, QueryComparison } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { Prose } from "../../printers/html/prose.tsx";
import {
  explainChange,
  describeFailures,
  describeUnfinished,
  listMetricNotes,
  selectQueriesWorthALook,
  describeUnits,
} from "../../document/comparison-section.ts";
import { createComparisonHeadline } from "../../document/load-headline.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { formatChange, formatShare } from "../../document/shown-number.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { changePlot, createChangeScale } from "./change-scale.ts";
import type { ChangeScale } from "./change-scale.ts";
import { formatChangeInterval, ComparisonRow, formatValue } from "./comparison-row.tsx";
import { NarrowComparison, computeNarrowHeight } from "./comparison-narrow.tsx";
import { DataTable } from "../../printers/html/data-table.tsx";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { FigureFrame } from "../figure-frame.tsx";
import { px } from "../svg-number.ts";
import { StraightLine } from "../straight-line.tsx";
import { capitalize, counted } from "../../document/counted.ts";

/** Maximum number of listed queries, by smallest p-value. */
const maxRows = 100;

const formatPValue = (pValue: number): string => (pValue < 0.0001 ? "< 0.0001" : pValue.toFixed(4));

interface QueryChangesProps {
  readonly queries: readonly QueryComparison[];
  readonly notableQueries: readonly QueryComparison[];
}

/** Lists queries that may have changed, and all queries folded. They are not part of a verdict. */
const QueryChanges = ({ queries, notableQueries }: QueryChangesProps): JSX.Element | null => {
  if (queries.length === 0) {
    return null;
  }
  const rows = queries.toSorted((a, b) => a.pValue - b.pValue).slice(0, maxRows);
  const notableText = notableQueries
    .map(({ query, change }) => `${escapeForDisplay(query, "name")} ${formatChange(change)}`)
    .join(", ");
  const omittedCount = queries.length - rows.length;
  return (
    <>
      <p>
        {notableText === "" ? "No query stands out by itself" : `Queries worth a look: ${notableText}`}
        {" (exploratory, Benjamini and Hochberg at 5 %; never part of the verdict)."}
      </p>
      <details>
        <summary>{`${counted(queries.length, "query", "queries")}, each by itself`}</summary>
        <DataTable
          caption={`Change of each query's median, with the p-value of that query alone${omittedCount > 0 ? `; ${omittedCount} more are left out` : ""}`}
          head={["query", "change", "p", "worth a look"]}
          rows={rows.map(({ query, change, pValue, worthALook }) => [
            escapeForDisplay(query, "name"),
            formatChange(change),
            formatPValue(pValue),
            worthALook ? "yes" : "no",
          ])}
        />
      </details>
    </>
  );
};

const computePlotBottom = ({ metrics }: Comparison): number => changePlot.top + metrics.length * changePlot.rowHeight;

const Axis = ({ comparison, scale }: { readonly comparison: Comparison; readonly scale: ChangeScale }): JSX.Element => (
  <g class="fig-axis" fill="currentColor">
    {scale.ticks.map((change) => (
      <g>
        <StraightLine
          from={[scale.x(change), changePlot.top - 4]}
          to={[scale.x(change), computePlotBottom(comparison)]}
          stroke={change === 0 ? "currentColor" : palette.grid}
          stroke-opacity={change === 0 ? "0.8" : "0.35"}
        />
        <text x={px(scale.x(change))} y={changePlot.top - 10} text-anchor="middle">
          {change === 0 ? "no change" : formatChange(change)}
        </text>
      </g>
    ))}
    <text x={changePlot.left} y="14">
      ← less
    </text>
    <text x={changePlot.right} y="14" text-anchor="end">
      more →
    </text>
    <text x={changePlot.right + 22} y="14">
      base → head
    </text>
  </g>
);

const hasOpenEnd = ({ change, low, high }: MetricComparison): boolean =>
  change !== undefined && (low === undefined || high === undefined);

const formatCaption = (comparison: Comparison): string => {
  const { metrics } = comparison;
  const hasThroughput = metrics.some(({ metric }) => metric === "throughput");
  return [
    `${capitalize(describeUnits(comparison))}.`,
    "Bar: the interval of the change. Grey band: changes too small to count. A metric is decided if its whole bar lies inside the band or outside it.",
    hasThroughput ? "Lower is better for times, higher for throughput." : "Lower is better.",
    `${capitalize(explainChange(comparison))}.`,
    "On the axis, +100 % is as far from no change as -50 %.",
    ...(metrics.some(hasOpenEnd) ? ["Arrow: the interval has no end on this side."] : []),
  ].join(" ");
};

const createMetricTable = ({ metrics }: Comparison): TableContent => ({
  caption: "The compared metrics with their intervals",
  head: [
    "metric",
    "verdict",
    "base",
    "head",
    "change",
    "interval",
    "confidence",
    "margin",
    "detectable",
    "units",
    "needed",
  ],
  rows: metrics.map((row) => [
    escapeForDisplay(row.metric, "name"),
    `${comparisonWords[row.verdict].sign} ${comparisonWords[row.verdict].word}`,
    formatValue(row, row.base, row.baseIsCensored),
    formatValue(row, row.head, row.headIsCensored),
    formatChange(row.change),
    formatChangeInterval(row),
    formatShare(row.confidence, 2),
    formatShare(row.margin),
    formatShare(row.detectable),
    row.units,
    row.unitsNeeded === undefined ? "-" : `${row.unitsNeeded} more`,
  ]),
});

const Failures = ({ comparison }: { readonly comparison: Comparison }): JSX.Element | null => {
  const sentence = describeFailures(comparison);
  if (sentence === undefined || comparison.failures === undefined) {
    return null;
  }
  const { sign, word } = comparisonWords[comparison.failures.verdict];
  return (
    <li>
      <strong>{`${sign} ${word}`}</strong> {sentence}
    </li>
  );
};

const Notes = ({ comparison }: { readonly comparison: Comparison }): JSX.Element | null => {
  const notes = [...describeUnfinished(comparison), ...listMetricNotes(comparison)].map((note) =>
    escapeForDisplay(note),
  );
  const isEmpty = notes.length === 0 && comparison.failures === undefined && comparison.incomparable.length === 0;
  return isEmpty ? null : (
    <ul>
      {comparison.incomparable.map((reason) => (
        <li>
          <strong>? cannot be compared</strong> <Prose text={reason} />
        </li>
      ))}
      <Failures comparison={comparison} />
      {notes.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
};

const ChangeFigure = ({ id, comparison, stamp }: ComparisonFigureProps): JSX.Element => {
  const { metrics } = comparison;
  const scale = createChangeScale(metrics);
  return (
    <FigureFrame
      id={`${id}-change`}
      title="Change of head against base, metric by metric"
      description={metrics
        .map(
          (row) =>
            `${escapeForDisplay(row.metric, "name")}: ${comparisonWords[row.verdict].word}, ${formatChange(row.change)}`,
        )
        .join("; ")}
      height={computePlotBottom(comparison) + 8}
      caption={formatCaption(comparison)}
      table={createMetricTable(comparison)}
      stamp={stamp}
      narrow={{
        height: computeNarrowHeight(metrics.length),
        children: <NarrowComparison metrics={metrics} scale={scale} />,
      }}
    >
      <Axis comparison={comparison} scale={scale} />
      {metrics.map((row, index) => (
        <ComparisonRow row={row} index={index} scale={scale} unit={comparison.design === "paired" ? "pair" : "run"} />
      ))}
    </FigureFrame>
  );
};

export interface ComparisonFigureProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly comparison: Comparison;
  /** True if the page shows the headline elsewhere. Default: false. */
  readonly isHeadlineElsewhere?: boolean;
  /** Text stamped across a figure that must not be used. */
  readonly stamp?: string | undefined;
}

/** Shows the verdict of a comparison and its figures in one line. */
export const ComparisonHeading = ({ comparison }: { readonly comparison: Comparison }): JSX.Element => {
  const { sign, word, text } = createComparisonHeadline(comparison);
  return (
    <p class={`headline v-${comparison.verdict}`}>
      <b>{`${sign} ${word}`}</b> <Prose text={text} kind="summary" />
    </p>
  );
};

/**
 * Shows a comparison: its verdict, both sides, the interval of each metric against its margin, failures, reasons, and
 * the queries that may have changed.
 */
export const ComparisonFigure = ({
  id,
  comparison,
  isHeadlineElsewhere = false,
  stamp,
}: ComparisonFigureProps): JSX.Element => {
  const { design, preset, base, head, metrics } = comparison;
  const designText =
    design === "paired"
      ? `paired${preset === undefined ? "" : `, preset ${escapeForDisplay(preset, "name")}`}`
      : "stored runs";
  return (
    <>
      {isHeadlineElsewhere ? null : <ComparisonHeading comparison={comparison} />}
      <p>
        {designText}: base <code>{escapeForDisplay(base, "url")}</code>, head{" "}
        <code>{escapeForDisplay(head, "url")}</code>
      </p>
      {metrics.length === 0 ? (
        <p>No metric was compared.</p>
      ) : (
        <ChangeFigure id={id} comparison={comparison} stamp={stamp} />
      )}
      <Notes comparison={comparison} />
      <QueryChanges queries={comparison.queries} notableQueries={selectQueriesWorthALook(comparison)} />
    </>
  );
};
