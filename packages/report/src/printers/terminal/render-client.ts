import type { ClientReport } from "@assay/results";
import { durationText } from "../../document/counted.ts";
import { trialsSection } from "../../document/client-sections.ts";
import { incompleteSection } from "../../document/run-sections.ts";
import { outcomeWords, paintBySign } from "../../document/outcome-words.ts";
import { type TerminalLayout, type TerminalLayoutOptions, createTerminalLayout } from "./terminal-layout.ts";
import { terminalSection } from "./print-terminal.ts";
import { shownText } from "../../document/shown-text.ts";
import { joinBlocks, terminalText } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Options of `renderClient`. */
export interface ClientPageOptions extends TerminalLayoutOptions {
  /** Whether every check has a line. */
  readonly showAllChecks: boolean;
}

const headerLines = ({ run, tool }: ClientReport, { columns, paint }: TerminalLayout): readonly string[] => {
  const command = run.command.map((word) => shownText(word, "name")).join(" ");
  const limits = `a trial ends after ${durationText(run.timeoutMs * 1000)}, or ${durationText(run.lingerMs * 1000)} after its task is over`;
  return [
    ...wrapText(`assay ${shownText(tool.version, "name")} · client: ${command}`, columns).map(paint.bold),
    ...wrapText(limits, columns).map(paint.dim),
  ];
};

const bannerLines = ({ exitCode, outcome, summary }: ClientReport, layout: TerminalLayout): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  const lines = wrapText(`${sign} ${word} (exit code ${exitCode}): ${shownText(summary)}`, layout.columns);
  return lines.map((line) => layout.paint.bold(paintBySign(sign, line, layout)));
};

/** Renders the report of a client for a terminal: a line for each trial with its failed checks, and the outcome last. */
export const renderClient = (report: ClientReport, { showAllChecks, ...options }: ClientPageOptions): string => {
  const layout = createTerminalLayout(options);
  return terminalText(
    joinBlocks([
      headerLines(report, layout),
      terminalSection(trialsSection(report, showAllChecks), layout),
      // The summary contains the first reason.
      report.outcome === "incomplete" ? [] : terminalSection(incompleteSection(report.incomplete), layout),
      bannerLines(report, layout),
    ]),
  );
};

/** Renders the report as JSON, indented by two spaces. */
export const renderClientJson = (report: ClientReport): string => `${JSON.stringify(report, undefined, 2)}\n`;
