import { describeArrival, loadWords } from "../../document/load-facts.ts";
import { createKnownFailureSections } from "../../document/load-known-sections.ts";
import { loadJudgementSection } from "../../document/load-judgement-section.ts";
import type { LoadResult } from "@assay/results";
import { describeLoad } from "../../document/load-headline.ts";
import { createComparisonSection } from "../../document/comparison-section.ts";
import {
  createCanarySection,
  cleanUpSection,
  createContractSection,
  createEndedEarlySection,
  createKneeSection,
  loadRequestsSection,
  createThresholdsSection,
  createTimingsSection,
  createTrustSection,
} from "../../document/load-sections.ts";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { markdownName, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { renderSectionMarkdown } from "./print-markdown.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";

const renderBannerLines = (result: LoadResult): readonly string[] => {
  const { exitCode } = result;
  const { sign, word } = loadWords(result);
  return [`## ${sign} Assay load: ${word} (exit code ${exitCode})`, "", markdownProse(describeLoad(result), "summary")];
};

const renderFactLines = ({ run, tool, plan }: LoadResult): readonly string[] => {
  const embedded = run.embedded ? " (embedded reference server)" : "";
  return [
    "",
    `- Target: ${codeSpan(escapeForDisplay(run.target, "url"))}${embedded}`,
    ...(run.against === undefined ? [] : [`- Against: ${codeSpan(escapeForDisplay(run.against, "url"))}`]),
    `- Load: ${codeSpan(escapeForDisplay(describeArrival(plan)))}`,
    `- Run: ${markdownName(run.id)}, seed ${run.seed}, assay ${markdownName(tool.version)}`,
  ];
};

const maxReasons = 20;

/**
 * Renders the summary of a load run as Markdown: outcome, timings, comparison, thresholds, violations, canary, validity. Text of a target
 * is never markup, a link, a mention or an image. All lists are truncated.
 */
export const renderLoadMarkdown = (result: LoadResult): string =>
  terminalText([
    ...renderBannerLines(result),
    ...renderFactLines(result),
    ...[
      createEndedEarlySection(result),
      createIncompleteSection(result.incomplete, maxReasons),
      createContractSection(result),
      loadJudgementSection(result, true),
      ...createKnownFailureSections(result),
      createTimingsSection(result),
      loadRequestsSection(result),
      createKneeSection(result),
      ...(result.comparison === undefined ? [] : [createComparisonSection(result.comparison)]),
      createThresholdsSection(result),
      createCanarySection(result),
      cleanUpSection(result),
      createTrustSection(result, true),
    ].flatMap((section) => renderSectionMarkdown(section)),
  ]);
