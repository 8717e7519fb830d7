import { arrivalSentence, loadWords } from "../../document/load-facts.ts";
import { knownFailureSections } from "../../document/load-known-sections.ts";
import { loadJudgementSection } from "../../document/load-judgement-section.ts";
import type { LoadResult } from "@assay/results";
import { describeLoad } from "../../document/load-headline.ts";
import { comparisonSection } from "../../document/comparison-section.ts";
import {
  canarySection,
  cleanUpSection,
  contractSection,
  endedEarlySection,
  kneeSection,
  loadRequestsSection,
  thresholdsSection,
  timingsSection,
  trustSection,
} from "../../document/load-sections.ts";
import { incompleteSection } from "../../document/run-sections.ts";
import { markdownName, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { sectionMarkdown } from "./print-markdown.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";

const bannerLines = (result: LoadResult): readonly string[] => {
  const { exitCode } = result;
  const { sign, word } = loadWords(result);
  return [`## ${sign} Assay load: ${word} (exit code ${exitCode})`, "", markdownProse(describeLoad(result), "summary")];
};

const factLines = ({ run, tool, plan }: LoadResult): readonly string[] => {
  const embedded = run.embedded ? " (embedded reference server)" : "";
  return [
    "",
    `- Target: ${codeSpan(shownText(run.target, "url"))}${embedded}`,
    ...(run.against === undefined ? [] : [`- Against: ${codeSpan(shownText(run.against, "url"))}`]),
    `- Load: ${codeSpan(shownText(arrivalSentence(plan)))}`,
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
    ...bannerLines(result),
    ...factLines(result),
    ...[
      endedEarlySection(result),
      incompleteSection(result.incomplete, maxReasons),
      contractSection(result),
      loadJudgementSection(result, true),
      ...knownFailureSections(result),
      timingsSection(result),
      loadRequestsSection(result),
      kneeSection(result),
      ...(result.comparison === undefined ? [] : [comparisonSection(result.comparison)]),
      thresholdsSection(result),
      canarySection(result),
      cleanUpSection(result),
      trustSection(result, true),
    ].flatMap((section) => sectionMarkdown(section)),
  ]);
