import type { ClientReport } from "@assay/results";
import { createTrialsSection } from "../../document/client-sections.ts";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { renderSectionMarkdown } from "./print-markdown.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";

/** Renders the report of a client as Markdown: the outcome, and all trials with failed checks. Text of the client is never markup. */
export const renderClientMarkdown = (report: ClientReport): string => {
  const { sign, word } = outcomeWords[report.outcome];
  const command = report.run.command.map((part) => escapeForDisplay(part, "name")).join(" ");
  return joinTerminalLines([
    `## ${sign} Assay client: ${word} (exit code ${report.exitCode})`,
    "",
    markdownProse(report.summary),
    "",
    `- Client: ${codeSpan(command)}`,
    ...renderSectionMarkdown(createIncompleteSection(report.incomplete)),
    ...renderSectionMarkdown({ ...createTrialsSection(report, false), title: "Trials" }),
  ]);
};
