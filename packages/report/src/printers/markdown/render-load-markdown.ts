import { arrivalSentence, loadWords } from "../../document/load-facts.ts";
import { knownSectionsOf } from "../../document/load-known-sections.ts";
import { judgementSectionOf } from "../../document/load-judgement-section.ts";
import type { LoadResult } from "@assay/results";
import { loadSentence } from "../../document/load-headline.ts";
import { comparisonSection } from "../../document/comparison-section.ts";
import {
  canarySection,
  cleanUpSection,
  contractSection,
  endedEarlySection,
  kneeSection,
  requestsSectionOfLoad,
  thresholdsSection,
  timingsSection,
  trustSection,
} from "../../document/load-sections.ts";
import { incompleteSection } from "../../document/run-sections.ts";
import { markdownName, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { markdownSectionOf } from "./print-markdown.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";

const bannerOf = (result: LoadResult): readonly string[] => {
  const { exitCode } = result;
  const { sign, word } = loadWords(result);
  return [`## ${sign} Assay load: ${word} (exit code ${exitCode})`, "", markdownProse(loadSentence(result), "summary")];
};

const factsOf = ({ run, tool, plan }: LoadResult): readonly string[] => {
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
    ...bannerOf(result),
    ...factsOf(result),
    ...[
      endedEarlySection(result),
      incompleteSection(result.incomplete, maxReasons),
      contractSection(result),
      judgementSectionOf(result, true),
      ...knownSectionsOf(result),
      timingsSection(result),
      requestsSectionOfLoad(result),
      kneeSection(result),
      ...(result.comparison === undefined ? [] : [comparisonSection(result.comparison)]),
      thresholdsSection(result),
      canarySection(result),
      cleanUpSection(result),
      trustSection(result, true),
    ].flatMap((section) => markdownSectionOf(section)),
  ]);
