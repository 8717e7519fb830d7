import type { Comparison, LoadResult } from "@assay/results";
import { cellName, cellProse, codeSpan, proseText } from "../markdown-text.ts";
import { outcomeWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { terminalText } from "../terminal-text.ts";
import {
  changeSentence,
  failuresSentence,
  metricNotes,
  metricTable,
  queriesToLookAt,
  readingSentence,
} from "./comparison-lines.ts";
import { arrivalSentence } from "./load-header-lines.ts";
import { comparisonWords, conditionWords } from "./load-words.ts";
import { canarySentence, outcomeSentences, violationEntries } from "./observed-lines.ts";
import { changeText } from "./shown-number.ts";
import type { TextTable } from "./table-lines.ts";
import { timingTable } from "./timing-lines.ts";
import { thresholdSentence } from "./trust-lines.ts";

const shownItems = 20;

const prose = (text: string): string => proseText(shownText(text));
const name = (text: string): string => codeSpan(shownText(text, "name"));

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];

const listed = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, shownItems).map((line) => `- ${line}`),
  ...(lines.length > shownItems ? [`- and ${lines.length - shownItems} more`] : []),
];

const tableOf = ({ head, rows, leftColumns = 1 }: TextTable): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(" | ")} |`,
        `|${head.map((_, column) => (column < leftColumns ? "---" : "--:")).join("|")}|`,
        ...rows.map(([first = "", ...cells]) => `| ${[cellName(first), ...cells.map(cellProse)].join(" | ")} |`),
      ];

const bannerOf = ({ outcome, exitCode, summary }: LoadResult): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  return [`## ${sign} Assay load: ${word} (exit code ${exitCode})`, "", prose(summary)];
};

const factsOf = (result: LoadResult): readonly string[] => {
  const { run, tool, plan } = result;
  const embedded = run.embedded ? " (embedded reference server)" : "";
  return [
    "",
    `- Target: ${codeSpan(shownText(run.target, "url"))}${embedded}`,
    ...(run.against === undefined ? [] : [`- Against: ${codeSpan(shownText(run.against, "url"))}`]),
    `- Load: ${codeSpan(arrivalSentence(plan))}`,
    `- Run: ${name(run.id)}, seed ${run.seed}, assay ${name(tool.version)}`,
    ...(result.complete ? [] : ["- The run ended early: only what was recorded until then is shown."]),
  ];
};

/** A comparison as a section: the verdict, the metrics as a table, how to read it. */
export const comparisonMarkdown = (comparison: Comparison): readonly string[] => {
  const { sign, word } = comparisonWords[comparison.verdict];
  const failures = failuresSentence(comparison);
  const worth = queriesToLookAt(comparison);
  const notes = [
    ...metricNotes(comparison).map(prose),
    ...(failures === undefined ? [] : [prose(failures)]),
    ...worth.map(({ query, change }) => `query to look at: ${name(query)} ${changeText(change)}`),
    ...comparison.incomparable.map((why) => `cannot be compared: ${prose(why)}`),
  ];
  return section(`${sign} Comparison: ${word}`, [
    prose(comparison.summary),
    "",
    ...tableOf(metricTable(comparison)),
    "",
    prose(readingSentence(comparison)),
    "",
    ...(comparison.metrics.length === 0 ? [] : [prose(changeSentence(comparison)), ""]),
    ...listed(notes),
  ]);
};

const canaryOf = ({ canary }: LoadResult): readonly string[] =>
  canary === undefined
    ? []
    : section("Canary", [
        prose(canarySentence(canary)),
        "",
        ...listed(canary.failed.map(({ rule, message }) => `${name(rule)}: ${prose(message)}`)),
      ]);

const trustOf = ({ trust }: LoadResult): readonly string[] =>
  section(
    trust.valid ? "The figures can be trusted" : "The figures cannot be trusted",
    listed(
      trust.checks.map(({ check, ok, sentence }) => `${conditionWords(ok).word}: ${name(check)}, ${prose(sentence)}`),
    ),
  );

/**
 * The summary of a load run for a page: outcome, timings, comparison, thresholds, violations, canary, trust. Nothing a target
 * sent is markup, a link, a mention or an image in it; every list is cut.
 */
export const renderLoadMarkdown = (result: LoadResult): string =>
  terminalText([
    ...bannerOf(result),
    ...factsOf(result),
    ...section("Why the run is incomplete", listed(result.incomplete.map(({ message }) => prose(message)))),
    ...section(
      "Violations under load",
      listed(violationEntries(result).map(([code, count]) => `${name(code)}: ${count}`)),
    ),
    ...section("Timings in ms", tableOf(timingTable(result, true))),
    ...section("Requests", listed(outcomeSentences(result).map(prose))),
    ...(result.knee === undefined ? [] : section("Knee", [prose(result.knee.sentence)])),
    ...(result.comparison === undefined ? [] : comparisonMarkdown(result.comparison)),
    ...section(
      "Thresholds",
      listed(result.thresholds.map((one) => `${conditionWords(one.ok).word}: ${prose(thresholdSentence(one))}`)),
    ),
    ...canaryOf(result),
    ...section("Left on the target", listed((result.cleanUp?.left ?? []).map(prose))),
    ...trustOf(result),
  ]);
