import type { Comparison, MetricComparison, QueryComparison } from "@assay/results";
import { counted } from "../counted.ts";
import { painted } from "../outcome-words.ts";
import type { Page } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { wrapIndented } from "../wrap-text.ts";
import { comparisonWords } from "./load-words.ts";
import { changeText, msText, plainNumber, shareText } from "./shown-number.ts";
import { fitsPage, tableLines, type TextTable } from "./table-lines.ts";

const name = (text: string): string => shownText(text, "name");

const verdictText = (verdict: Comparison["verdict"]): string => {
  const { sign, word } = comparisonWords[verdict];
  return `${sign} ${word}`;
};

const intervalText = ({ low, high }: MetricComparison): string =>
  low === undefined && high === undefined
    ? "-"
    : `[${low === undefined ? "…" : changeText(low)}, ${high === undefined ? "…" : changeText(high)}]`;

const valueText = (metric: MetricComparison["metric"], value: number | undefined): string => {
  const text = metric === "throughput" ? plainNumber(value) : msText(value);
  return text === "-" ? text : `${text}${metric === "throughput" ? "/s" : ""}`;
};

/** Every metric with its verdict, both values, the change with its interval, and what could have been seen. */
export const metricTable = ({ metrics }: Comparison): TextTable => ({
  head: ["metric", "verdict", "base", "head", "change", "interval", "margin", "detectable"],
  leftColumns: 2,
  rows: metrics.map((row) => [
    name(row.metric),
    verdictText(row.verdict),
    valueText(row.metric, row.base),
    valueText(row.metric, row.head),
    changeText(row.change),
    intervalText(row),
    shareText(row.margin),
    shareText(row.detectable),
  ]),
});

const unitsOf = ({ design }: Comparison): string => (design === "paired" ? "pair" : "run");

const neededText = ({ unitsNeeded, units }: MetricComparison, comparison: Comparison): readonly string[] =>
  unitsNeeded === undefined
    ? []
    : [`${counted(unitsNeeded, `more ${unitsOf(comparison)}`)} needed beside the ${units} there are`];

/** Why metrics are inconclusive, or what they lean to; a sentence for each that has something to say. */
export const metricNotes = (comparison: Comparison): readonly string[] =>
  comparison.metrics.flatMap((metric) => {
    const parts = [...(metric.note === undefined ? [] : [shownText(metric.note)]), ...neededText(metric, comparison)];
    return parts.length === 0 ? [] : [`${name(metric.metric)}: ${parts.join("; ")}`];
  });

/** How the confidence and the values of the table are to be read, one sentence. */
export const readingSentence = ({ metrics, design }: Comparison): string => {
  const confidence = metrics[0]?.confidence;
  const interval = confidence === undefined ? "" : `; intervals of ${shareText(confidence, 2)}`;
  const units = metrics[0]?.units ?? 0;
  return `times in ms, from ${counted(units, design === "paired" ? "pair of blocks" : "run of the smaller side", design === "paired" ? "pairs of blocks" : "runs of the smaller side")}${interval}; a change below the margin does not count`;
};

const changeSentences = {
  stored:
    "base and head are the medians of the runs, change is the middle of all pairs of a run of each side (Hodges-Lehmann); it need not be the quotient of the two",
  paired:
    "base and head are the medians of the blocks, change is the middle of the changes within pairs, taken singly and two by two (Hodges-Lehmann); it need not be the quotient of the two",
} as const satisfies Record<Comparison["design"], string>;

/** Why a change is not what its row gives when head is divided by base, one sentence. */
export const changeSentence = ({ design }: Comparison): string => changeSentences[design];

/** The shares of requests that failed, one sentence; undefined when they were not compared. */
export const failuresSentence = ({ failures }: Comparison): string | undefined =>
  failures === undefined
    ? undefined
    : `failed requests: ${failures.baseFailed} of ${failures.baseTotal} before, ${failures.headFailed} of ${failures.headTotal} now (p = ${failures.pValue.toPrecision(2)})`;

const failureLines = (comparison: Comparison, page: Page): readonly string[] => {
  const sentence = failuresSentence(comparison);
  if (sentence === undefined || comparison.failures === undefined) {
    return [];
  }
  const { sign, word } = comparisonWords[comparison.failures.verdict];
  return wrapIndented(`${sign} ${word}  ${sentence}`, { columns: page.columns, indent: 2, hanging: 4 }).map((line) =>
    painted(sign, line, page),
  );
};

const shownQueries = 5;

/** The queries that may have moved, those with the largest change first. */
export const queriesToLookAt = ({ queries }: Comparison): readonly QueryComparison[] =>
  queries
    .filter(({ worthALook }) => worthALook)
    .toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))
    .slice(0, shownQueries);

const queryLines = (comparison: Comparison, { columns, paint }: Page): readonly string[] => {
  const worth = queriesToLookAt(comparison);
  const texts = worth.map(({ query, change }) => `${name(query)} ${changeText(change)}`).join(", ");
  return worth.length === 0
    ? []
    : wrapIndented(`queries to look at (never part of the verdict): ${texts}`, { columns, indent: 2, hanging: 4 }).map(
        paint.dim,
      );
};

/** The whole table, or where it has no room, as much of it from the left as says what changed. */
const fittingTable = (comparison: Comparison, page: Page): TextTable => {
  const whole = metricTable(comparison);
  const narrow = { ...whole, head: whole.head.slice(0, 6), rows: whole.rows.map((row) => row.slice(0, 6)) };
  return fitsPage(whole, page) || !fitsPage(narrow, page) ? whole : narrow;
};

/** Lines of a metric table in which the verdicts have their colours. */
const metricLines = (comparison: Comparison, page: Page): readonly string[] =>
  tableLines(fittingTable(comparison, page), page).map((line) => {
    const found = Object.values(comparisonWords).find(({ sign, word }) => line.includes(`${sign} ${word}`));
    return found === undefined ? line : painted(found.sign, line, page);
  });

/** A comparison: what with what, the verdict of each metric, failures, reasons, queries to look at. */
export const comparisonLines = (comparison: Comparison, page: Page): readonly string[] => {
  const { columns, paint } = page;
  const { design, preset, base, head, incomparable } = comparison;
  const how = design === "paired" ? `paired${preset === undefined ? "" : `, preset ${name(preset)}`}` : "stored runs";
  const within = { columns, indent: 2, hanging: 4 };
  return [
    paint.bold(`Comparison (${how})`),
    ...wrapIndented(`base ${shownText(base, "url")}`, within),
    ...wrapIndented(`head ${shownText(head, "url")}`, within),
    ...(comparison.metrics.length === 0 ? [] : wrapIndented(readingSentence(comparison), within).map(paint.dim)),
    ...metricLines(comparison, page),
    ...(comparison.metrics.length === 0 ? [] : wrapIndented(changeSentence(comparison), within).map(paint.dim)),
    ...failureLines(comparison, page),
    ...metricNotes(comparison).flatMap((note) => wrapIndented(note, within)),
    ...queryLines(comparison, page),
    ...incomparable.flatMap((why) => wrapIndented(`? cannot be compared: ${shownText(why)}`, within)),
  ];
};
