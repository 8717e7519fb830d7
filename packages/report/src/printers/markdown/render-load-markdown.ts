import { describeArrival, getLoadWords } from "../../document/load-facts.ts";
import { createKnownFailureSections } from "../../document/load-known-sections.ts";
import { createLoadJudgementSection } from "../../document/load-judgement-section.ts";
import type { LoadResult } from "@assay/results";
import { describeLoad } from "../../document/load-headline.ts";
import { createComparisonSection } from "../../document/comparison-section.ts";
import {
  createCanarySection,
  createCleanUpSection,
  createContractSection,
  createEndedEarlySection,
  createKneeSection,
  createLoadRequestsSection,
  createThresholdsSection,
  createTimingsSection,
  createTrustSection,
} from "../../document/load-sections.ts";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { markdownName, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { renderSectionMarkdown } from "./print-markdown.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";

const renderBannerLines = (result: LoadResult): readonly string[] => {
  const { exitCode } = result;
  const { sign, word } = getLoadWords(result);
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
  joinTerminalLines([
    ...renderBannerLines(result),
    ...renderFactLines(result),
    ...[
      createEndedEarlySection(result),
      createIncompleteSection(result.incomplete, maxReasons),
      createContractSection(result),
      createLoadJudgementSection(result, true),
      ...createKnownFailureSections(result),
      createTimingsSection(result),
      createLoadRequestsSection(result),
      createKneeSection(result),
      ...(result.comparison === undefined ? [] : [createComparisonSection(result.comparison)]),
      createThresholdsSection(result),
      createCanarySection(result),
      createCleanUpSection(result),
      createTrustSection(result, true),
    ].flatMap((section) => renderSectionMarkdown(section)),
  ]);
