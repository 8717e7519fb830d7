import { concludeCheck } from "@assay/results";
import { cutMarkdown } from "./markdown/cut-markdown.ts";
import type { ReportInput } from "../document/report-input.ts";
import { renderLoadMarkdown } from "./markdown/render-load-markdown.ts";
import { renderComparisonMarkdown } from "./terminal/render-comparison.ts";
import { cellProse } from "./markdown/markdown-text.ts";
import { describeLoad } from "../document/load-headline.ts";
import { outcomeWords } from "../document/outcome-words.ts";
import { renderSummaryMarkdown } from "./markdown/render-summary-markdown.ts";
import { escapeForDisplay } from "../document/shown-text.ts";
import { joinTerminalLines } from "./terminal/terminal-text.ts";
import { createCtrfDocument } from "./ctrf/ctrf-document.ts";
import { createJunitDocument } from "./junit/junit-document.ts";
import { createLoadCases } from "../document/load-cases.ts";
import { markdownTable } from "./markdown/markdown-parts.ts";
import { createRunCases } from "../document/run-cases.ts";
import type { CaseList } from "../document/test-case.ts";

/** Returns the most severe outcome of several runs. Ignores comparisons of stored runs. */
export const getMergedOutcome = ({
  runs,
  loads,
}: Pick<ReportInput, "runs" | "loads">): ReturnType<typeof concludeCheck> =>
  concludeCheck([...runs.map(({ result }) => result), ...loads]);

/** Renders one line for the outcome of each run, one for changes, and one for all runs together. */
export const renderMergedOutcome = (input: Pick<ReportInput, "runs" | "loads">): string => {
  const results = [
    ...input.runs.map(({ result, change, name }) => ({ ...result, change: change?.sentence, name })),
    ...input.loads.map((load) => ({ ...load, summary: describeLoad(load) })),
  ];
  const lines = results.flatMap((result) => {
    const { sign, word } = outcomeWords[result.outcome];
    const changeLines =
      "change" in result && result.change !== undefined ? [`  changed: ${escapeForDisplay(result.change)}`] : [];
    const id = escapeForDisplay(result.run.id, "name");
    // Users who named the run will look for that name.
    const name =
      "name" in result && result.name !== undefined ? `${escapeForDisplay(result.name, "name")} (${id})` : id;
    return [
      `${sign} ${name}: ${word}, exit code ${result.exitCode}: ${escapeForDisplay(result.summary)}`,
      ...changeLines,
    ];
  });
  const { outcome, exitCode } = getMergedOutcome(input);
  const { sign, word } = outcomeWords[outcome];
  return joinTerminalLines([...lines, ...(results.length > 1 ? [`${sign} all: ${word}, exit code ${exitCode}`] : [])]);
};

const createCaseLists = ({ runs, loads }: ReportInput): readonly CaseList[] => [
  ...runs.map(({ result }) => createRunCases(result)),
  ...loads.map(createLoadCases),
];

/** Renders one JUnit file of all runs. If there are several, each has a test suite. */
export const renderMergedJunit = (input: ReportInput): string => createJunitDocument(createCaseLists(input));

/** Renders one CTRF file of all runs. If there are several, the suite of each test begins with its run. */
export const renderMergedCtrf = (input: ReportInput): string => createCtrfDocument(createCaseLists(input));

/** Renders the beginning of a report of several runs: the combined outcome, and a row for each run. */
export const renderOverviewMarkdown = (input: ReportInput): readonly string[] => {
  const { outcome, exitCode } = getMergedOutcome(input);
  const { sign, word } = outcomeWords[outcome];
  const results = [
    ...input.runs.map(({ result }) => result),
    ...input.loads.map((load) => ({ ...load, summary: describeLoad(load) })),
  ];
  const rows = results.map((result) => {
    const words = outcomeWords[result.outcome];
    return [
      cellProse(escapeForDisplay(result.run.id, "name")),
      cellProse(escapeForDisplay(result.run.target, "url")),
      cellProse(`${words.sign} ${words.word}`),
      String(result.exitCode),
      cellProse(escapeForDisplay(result.summary)),
    ];
  });
  return [
    `## ${sign} Assay, ${results.length} runs: ${word} (exit code ${exitCode})`,
    ...markdownTable(["run", "target", "outcome", "exit code", "summary"], rows, 5),
  ];
};

const renderParts = ({ runs, loads, comparisons }: ReportInput): readonly string[] => [
  ...runs.map(({ result, ...context }) => renderSummaryMarkdown(result, context)),
  ...loads.map(renderLoadMarkdown),
  ...comparisons.map(renderComparisonMarkdown),
];

/** GitHub's limit for the summary of a step, with some space left for other tools. */
const maxSummaryBytes = 1_000_000;

/**
 * Renders the summary of one or more runs as Markdown, at most `maxBytes` of UTF-8 (default: 1,000,000). Several runs share the space equally. Each
 * is truncated at its end.
 */
export const renderMergedMarkdown = (input: ReportInput, maxBytes = maxSummaryBytes): string => {
  const parts = renderParts(input);
  if (input.runs.length + input.loads.length === 1 && parts.length === 1) {
    return cutMarkdown(parts[0] ?? "", maxBytes);
  }
  const head = joinTerminalLines(renderOverviewMarkdown(input));
  const availableBytes = Math.max(0, maxBytes - 2 * Math.min(head.length, maxBytes / 4));
  const bytesPerPart = Math.floor(availableBytes / Math.max(1, parts.length));
  return cutMarkdown([head, ...parts.map((part) => cutMarkdown(part, bytesPerPart))].join("\n"), maxBytes);
};
