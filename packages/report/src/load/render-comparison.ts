import type { Comparison, RunOutcome } from "@assay/results";
import { painted } from "../outcome-words.ts";
import { type Page, pageOf, type PageOptions } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { stacked, terminalText } from "../terminal-text.ts";
import { wrapText } from "../wrap-text.ts";
import { comparisonLines } from "./comparison-lines.ts";
import { comparisonWords } from "./load-words.ts";

/** A comparison of stored runs, and how the command ends with it. */
export interface ComparisonEnd {
  readonly comparison: Comparison;
  readonly outcome: RunOutcome;
  readonly exitCode: number;
}

const bannerLines = ({ comparison, exitCode }: ComparisonEnd, page: Page): readonly string[] => {
  const { columns, paint } = page;
  const { sign, word } = comparisonWords[comparison.verdict];
  return [
    painted(sign, "─".repeat(columns), page),
    `${painted(sign, paint.bold(`${sign} ${word.toUpperCase()}`), page)}  exit code ${exitCode}`,
    ...wrapText(shownText(comparison.summary), columns),
  ];
};

/** A comparison for people at a terminal; the verdict last, where the eye is. */
export const renderComparison = (end: ComparisonEnd, options: PageOptions): string => {
  const page = pageOf(options);
  return terminalText(stacked([comparisonLines(end.comparison, page), bannerLines(end, page)]));
};

/** A comparison for programs: the comparison itself with the outcome and the exit code of the command. */
export const renderComparisonJson = ({ comparison, outcome, exitCode }: ComparisonEnd): string =>
  `${JSON.stringify({ schemaVersion: 1, outcome, exitCode, ...comparison }, undefined, 2)}\n`;
