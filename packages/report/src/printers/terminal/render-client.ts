import type { ClientReport } from "@assay/results";
import { formatDuration } from "../../document/counted.ts";
import { createTrialsSection } from "../../document/client-sections.ts";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { outcomeWords, paintBySign } from "../../document/outcome-words.ts";
import { type TerminalLayout, type TerminalLayoutOptions, createTerminalLayout } from "./terminal-layout.ts";
import { renderTerminalSection } from "./print-terminal.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Options of `renderClient`. */
export interface ClientPageOptions extends TerminalLayoutOptions {
  /** Whether every check has a line. */
  readonly showAllChecks: boolean;
}

const renderHeaderLines = ({ run, tool }: ClientReport, { columns, paint }: TerminalLayout): readonly string[] => {
  const command = run.command.map((word) => escapeForDisplay(word, "name")).join(" ");
  const limits = `a trial ends after ${formatDuration(run.timeoutMs * 1000)}, or ${formatDuration(run.lingerMs * 1000)} after its task is over`;
  return [
    ...wrapText(`assay ${escapeForDisplay(tool.version, "name")} · client: ${command}`, columns).map(paint.bold),
    ...wrapText(limits, columns).map(paint.dim),
  ];
};

const renderBannerLines = ({ exitCode, outcome, summary }: ClientReport, layout: TerminalLayout): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  const lines = wrapText(`${sign} ${word} (exit code ${exitCode}): ${escapeForDisplay(summary)}`, layout.columns);
  return lines.map((line) => layout.paint.bold(paintBySign(sign, line, layout)));
};

/** Renders the report of a client for a terminal: a line for each trial with its failed checks, and the outcome last. */
export const renderClient = (report: ClientReport, { showAllChecks, ...options }: ClientPageOptions): string => {
  const layout = createTerminalLayout(options);
  return joinTerminalLines(
    joinBlocks([
      renderHeaderLines(report, layout),
      renderTerminalSection(createTrialsSection(report, showAllChecks), layout),
      // The summary contains the first reason.
      report.outcome === "incomplete" ? [] : renderTerminalSection(createIncompleteSection(report.incomplete), layout),
      renderBannerLines(report, layout),
    ]),
  );
};

/** Renders the report as JSON, indented by two spaces. */
export const renderClientJson = (report: ClientReport): string => `${JSON.stringify(report, undefined, 2)}\n`;
