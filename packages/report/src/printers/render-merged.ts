import { concludeCheck } from "@assay/results";
import { cutMarkdown } from "./markdown/cut-markdown.ts";
import type { ReportInput } from "../document/report-input.ts";
import { renderLoadMarkdown } from "./markdown/render-load-markdown.ts";
import { renderComparisonMarkdown } from "./terminal/render-comparison.ts";
import { cellProse } from "./markdown/markdown-text.ts";
import { loadSentence } from "../document/load-headline.ts";
import { outcomeWords } from "../document/outcome-words.ts";
import { renderSummaryMarkdown } from "./markdown/render-summary-markdown.ts";
import { shownText } from "../document/shown-text.ts";
import { terminalText } from "./terminal/terminal-text.ts";
import { ctrfDocument } from "./ctrf/ctrf-document.ts";
import { junitDocument } from "./junit/junit-document.ts";
import { loadCases } from "../document/load-cases.ts";
import { markdownTable } from "./markdown/markdown-parts.ts";
import { runCases } from "../document/run-cases.ts";
import type { CaseList } from "../document/test-case.ts";

/** Returns the most severe outcome of several runs. Ignores comparisons of stored runs. */
export const mergedEnd = ({ runs, loads }: Pick<ReportInput, "runs" | "loads">): ReturnType<typeof concludeCheck> =>
  concludeCheck([...runs.map(({ result }) => result), ...loads]);

/** Renders one line for the outcome of each run, one for changes, and one for all runs together. */
export const renderMergedEnd = (input: Pick<ReportInput, "runs" | "loads">): string => {
  const ends = [
    ...input.runs.map(({ result, change, name }) => ({ ...result, change: change?.sentence, name })),
    ...input.loads.map((load) => ({ ...load, summary: loadSentence(load) })),
  ];
  const lines = ends.flatMap((end) => {
    const { sign, word } = outcomeWords[end.outcome];
    const changed = "change" in end && end.change !== undefined ? [`  changed: ${shownText(end.change)}`] : [];
    const id = shownText(end.run.id, "name");
    // Users who named the run will look for that name.
    const called = "name" in end && end.name !== undefined ? `${shownText(end.name, "name")} (${id})` : id;
    return [`${sign} ${called}: ${word}, exit code ${end.exitCode}: ${shownText(end.summary)}`, ...changed];
  });
  const { outcome, exitCode } = mergedEnd(input);
  const { sign, word } = outcomeWords[outcome];
  return terminalText([...lines, ...(ends.length > 1 ? [`${sign} all: ${word}, exit code ${exitCode}`] : [])]);
};

const listsOf = ({ runs, loads }: ReportInput): readonly CaseList[] => [
  ...runs.map(({ result }) => runCases(result)),
  ...loads.map(loadCases),
];

/** Renders one JUnit file of all runs. If there are several, each has a test suite. */
export const renderMergedJunit = (input: ReportInput): string => junitDocument(listsOf(input));

/** Renders one CTRF file of all runs. If there are several, the suite of each test begins with its run. */
export const renderMergedCtrf = (input: ReportInput): string => ctrfDocument(listsOf(input));

/** Renders the beginning of a report of several runs: the combined outcome, and a row for each run. */
export const overviewMarkdown = (input: ReportInput): readonly string[] => {
  const { outcome, exitCode } = mergedEnd(input);
  const { sign, word } = outcomeWords[outcome];
  const ends = [
    ...input.runs.map(({ result }) => result),
    ...input.loads.map((load) => ({ ...load, summary: loadSentence(load) })),
  ];
  const rows = ends.map((result) => {
    const words = outcomeWords[result.outcome];
    return [
      cellProse(shownText(result.run.id, "name")),
      cellProse(shownText(result.run.target, "url")),
      cellProse(`${words.sign} ${words.word}`),
      String(result.exitCode),
      cellProse(shownText(result.summary)),
    ];
  });
  return [
    `## ${sign} Assay, ${ends.length} runs: ${word} (exit code ${exitCode})`,
    ...markdownTable(["run", "target", "outcome", "exit code", "summary"], rows, 5),
  ];
};

const partsOf = ({ runs, loads, comparisons }: ReportInput): readonly string[] => [
  ...runs.map(({ result, ...more }) => renderSummaryMarkdown(result, more)),
  ...loads.map(renderLoadMarkdown),
  ...comparisons.map(renderComparisonMarkdown),
];

/** GitHub's limit for the summary of a step, with some space left for other tools. */
const maxSummaryBytes = 1_000_000;

/**
 * Renders the summary of one or more runs as Markdown, at most `maxBytes` [1,000,000] of UTF-8. Several runs share the space equally. Each
 * is truncated at its end.
 */
export const renderMergedMarkdown = (input: ReportInput, maxBytes = maxSummaryBytes): string => {
  const parts = partsOf(input);
  if (input.runs.length + input.loads.length === 1 && parts.length === 1) {
    return cutMarkdown(parts[0] ?? "", maxBytes);
  }
  const head = terminalText(overviewMarkdown(input));
  const room = Math.max(0, maxBytes - 2 * Math.min(head.length, maxBytes / 4));
  const share = Math.floor(room / Math.max(1, parts.length));
  return cutMarkdown([head, ...parts.map((part) => cutMarkdown(part, share))].join("\n"), maxBytes);
};
