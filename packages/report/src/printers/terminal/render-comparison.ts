import type { Comparison, RunOutcome } from "@assay/results";
import { createComparisonSection } from "../../document/comparison-section.ts";
import { createComparisonHeadline } from "../../document/load-headline.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { markdownProse } from "../markdown/markdown-parts.ts";
import { renderSectionMarkdown } from "../markdown/print-markdown.ts";
import { renderTerminalSection } from "./print-terminal.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** A comparison of stored runs, with outcome and exit code of the command. */
export interface ComparisonEnd {
  readonly comparison: Comparison;
  readonly outcome: RunOutcome;
  readonly exitCode: number;
}

const renderBannerLines = ({ comparison, exitCode }: ComparisonEnd, layout: TerminalLayout): readonly string[] => {
  const { columns, paint } = layout;
  const { sign, word, text } = createComparisonHeadline(comparison);
  return [
    paintBySign(sign, "─".repeat(columns), layout),
    `${paintBySign(sign, paint.bold(`${sign} ${word.toUpperCase()}`), layout)}  exit code ${exitCode}`,
    ...wrapText(escapeForDisplay(text, "summary"), columns),
  ];
};

/** Renders a comparison for a terminal, with the verdict last. */
export const renderComparison = (end: ComparisonEnd, options: TerminalLayoutOptions): string => {
  const layout = createTerminalLayout(options);
  return joinTerminalLines(
    joinBlocks([
      renderTerminalSection(createComparisonSection(end.comparison), layout),
      renderBannerLines(end, layout),
    ]),
  );
};

/** Renders a comparison as Markdown. Text of a target is never markup. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { sign, word, text } = createComparisonHeadline(comparison);
  return joinTerminalLines([
    `## ${sign} Assay comparison: ${word}`,
    "",
    markdownProse(text, "summary"),
    ...renderSectionMarkdown(createComparisonSection(comparison)),
  ]);
}

/** Renders a comparison as JSON, with the outcome and exit code of the command. */
export const renderComparisonJson = ({ comparison, outcome, exitCode }: ComparisonEnd): string =>
  `${JSON.stringify({ schemaVersion: 1, outcome, exitCode, ...comparison }, undefined, 2)}\n`;
