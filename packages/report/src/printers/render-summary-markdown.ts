import { failsRun, ruleStanding, type RunChange, type RunResult, type RunTimelines } from "@assay/results";
import { counted } from "../document/counted.ts";
import { list, type Section } from "../document/document.ts";
import {
  apiDocumentSection,
  type Detail,
  failureSection,
  fixedFailures,
  fixedSection,
  incompleteSection,
  knownFailuresSection,
  knownNotesSection,
  leftOpenSection,
  mistakesSection,
  newValuesSection,
  unjudgedSection,
  violatedRules,
} from "../document/run-sections.ts";
import { stateDiagramMarkdown } from "./state-diagram-markdown.ts";
import { bannerMarkdown, changeMarkdown, countsMarkdown, factsMarkdown, matrixMarkdown } from "./summary-head.ts";
import { markdownSectionOf } from "./print-markdown.ts";
import { terminalText } from "./terminal-text.ts";

/** How much of a result a summary shows. */
const detail: Detail = {
  entries: 10,
  choices: 10,
  messages: 1,
  findings: 1,
  rules: 50,
  where: "",
  isWhole: false,
};

/** What a summary may know besides the result. */
export interface SummaryOptions {
  /** What changed since a baseline. */
  readonly change?: RunChange;
  /** For the state diagrams. */
  readonly timelines?: Pick<RunTimelines, "diagrams">;
}

const warningsSection = ({ verdicts, run }: RunResult): Section => {
  const warning = verdicts.filter((rule) => ruleStanding(rule) === "warned" && !failsRun(rule, run.strict));
  return {
    title: "Warnings",
    blocks: list(
      warning.map(({ rule, title }) => ({ line: [{ name: rule }, ": ", title] })),
      { most: detail.entries },
    ),
  };
};

/** The first violations in full, a heading each, and how many more there are. */
const failuresMarkdown = (result: RunResult): readonly string[] => {
  const failing = violatedRules(result);
  const more = failing.length - detail.entries;
  return failing.length === 0
    ? []
    : [
        "",
        "### Violations",
        ...failing
          .slice(0, detail.entries)
          .flatMap((rule) => markdownSectionOf(failureSection(rule, detail) ?? { blocks: [] }, 4)),
        ...(more > 0 ? ["", `and ${counted(more, "more violated rule")}`] : []),
      ];
};

const sections = (...all: readonly Section[]): readonly string[] => all.flatMap((one) => markdownSectionOf(one));

/**
 * `summary.md`, which is also the summary of a job: the outcome, what changed since the baseline, counts, what is incomplete or
 * wrong with the lists of known failures, the first violations with their bytes and a way to repeat them, the matrix of sections
 * and interfaces, known failures with their reasons, every rule that was not judged, and observed states as a diagram. Nothing a
 * target sent is markup, a link, a mention or an image in it. Every list and text is cut, so it stays far below the 1 MiB that
 * job summaries take.
 */
export const renderSummaryMarkdown = (result: RunResult, { change, timelines }: SummaryOptions = {}): string => {
  return terminalText([
    ...bannerMarkdown(result),
    ...factsMarkdown(result),
    ...countsMarkdown(result),
    ...changeMarkdown(change),
    ...sections(
      incompleteSection(result.incomplete, detail.entries),
      mistakesSection(result, detail),
      ...fixedFailures(result.verdicts).slice(0, detail.entries).map(fixedSection),
    ),
    ...failuresMarkdown(result),
    ...sections(warningsSection(result)),
    ...matrixMarkdown(result),
    ...sections(
      knownFailuresSection(result.verdicts, detail),
      knownNotesSection(result, detail),
      unjudgedSection(result.verdicts, detail),
      apiDocumentSection(result, detail),
      leftOpenSection(result, detail),
      newValuesSection(result, detail),
    ),
    ...stateDiagramMarkdown(timelines?.diagrams ?? []),
  ]);
};
