import type { ClientReport } from "@assay/results";
import { trialsSection } from "../../document/client-sections.ts";
import { incompleteSection } from "../../document/run-sections.ts";
import { markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { sectionMarkdown } from "./print-markdown.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";

/** Renders the report of a client as Markdown: the outcome, and all trials with failed checks. Text of the client is never markup. */
export const renderClientMarkdown = (report: ClientReport): string => {
  const { sign, word } = outcomeWords[report.outcome];
  const command = report.run.command.map((part) => shownText(part, "name")).join(" ");
  return terminalText([
    `## ${sign} Assay client: ${word} (exit code ${report.exitCode})`,
    "",
    markdownProse(report.summary),
    "",
    `- Client: ${codeSpan(command)}`,
    ...sectionMarkdown(incompleteSection(report.incomplete)),
    ...sectionMarkdown({ ...trialsSection(report, false), title: "Trials" }),
  ]);
};
