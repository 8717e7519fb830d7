import {
  failsRun,
  ruleStanding,
  type RuleVerdict,
  type RunChange,
  type RunResult,
  type RunTimelines,
} from "@assay/results";
import { counted } from "../../document/counted.ts";
import { list, type Section, text } from "../../document/document.ts";
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
  placeOf,
  unjudgedSection,
  failedRules,
} from "../../document/run-sections.ts";
import { stateDiagramMarkdown } from "./state-diagram-markdown.ts";
import { bannerMarkdown, changeMarkdown, countsMarkdown, factsMarkdown, matrixMarkdown } from "./summary-head.ts";
import { shownText } from "../../document/shown-text.ts";
import { markdownDetails, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { markdownSectionOf } from "./print-markdown.ts";
import { terminalText } from "../terminal/terminal-text.ts";

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
      { max: detail.entries },
    ),
  };
};

/** What was seen of a violated rule first, where, and how often. */
const seenLine = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const [first] = verdict.findings;
  const place = placeOf(first);
  const more = verdict.findings.length - 1 + verdict.moreFindings;
  return [
    `Seen: ${markdownProse(first.message)}`,
    ...(place === "" ? [] : [` (${codeSpan(shownText(place))})`]),
    ...(more > 0 ? [`, and ${counted(more, "more finding")}`] : []),
  ].join("");
};

/** A violated rule: the first one in full, all others with what was seen, the rest of it folded. */
const violationMarkdown = (rule: RuleVerdict, index: number): readonly string[] => {
  const section = failureSection(rule, detail) ?? { blocks: [] };
  if (index === 0) {
    return markdownSectionOf(section, 4);
  }
  const { blocks, ...head } = section;
  const title = markdownSectionOf({ ...head, blocks: [text(rule.title)] }, 4);
  const folded = markdownSectionOf({ blocks: blocks.slice(1) });
  return [
    ...title,
    "",
    seenLine(rule),
    ...markdownDetails("The requirement, the bytes, and the command that repeats the request", folded),
  ];
};

/** What to do about violations, for whoever has not seen one before. */
const adviceMarkdown = ({ rule }: RuleVerdict): readonly string[] => [
  "",
  `What to do: repeat the request with its command; ${codeSpan(`npx assay explain RUN ${shownText(rule, "name")}`)}, ` +
    "with the folder of the run for RUN, explains it. List failures that you accept for a while in a file: `--known-failures`.",
];

/** The first violations, a heading each, how many more there are, and what to do about them. */
const failuresMarkdown = (result: RunResult): readonly string[] => {
  const failing = failedRules(result);
  const [first] = failing;
  const more = failing.length - detail.entries;
  return first === undefined
    ? []
    : [
        "",
        `### Failed: ${failing.length}`,
        ...adviceMarkdown(first),
        ...failing.slice(0, detail.entries).flatMap(violationMarkdown),
        ...(more > 0 ? ["", `and ${counted(more, "more failed rule")}`] : []),
      ];
};

const sections = (...all: readonly Section[]): readonly string[] => all.flatMap((one) => markdownSectionOf(one));

/** Sections behind their titles, which no text of a target is in. */
const folded = (...all: readonly Section[]): readonly string[] =>
  all.flatMap(({ title, blocks }) =>
    markdownDetails(typeof title === "string" ? title : "More", markdownSectionOf({ blocks })),
  );

/** What a green run shows at once, and a red one folds away. */
const chaptersMarkdown = (result: RunResult): readonly string[] => {
  const matrix = matrixMarkdown(result);
  return result.outcome === "passed"
    ? matrix.length === 0
      ? []
      : ["", ...matrix]
    : markdownDetails("Rules by chapter and interface", matrix);
};

/**
 * `summary.md`, which is also the summary of a job: under one screen where all is well. The outcome; what makes the run red, the first
 * violation with its bytes and the others folded, at most ten; what changed since the baseline; what is incomplete or wrong with the
 * lists of known failures; counts; the chapters of the specifications in their order; and folded, known failures with their reasons, every
 * rule that was not judged, and observed states as a diagram. Nothing a target sent is markup, a link, a mention or an image in it.
 * Every list and text is cut, so it stays far below the 1 MiB that job summaries take.
 */
export const renderSummaryMarkdown = (result: RunResult, { change, timelines }: SummaryOptions = {}): string => {
  return terminalText([
    ...bannerMarkdown(result),
    ...factsMarkdown(result),
    ...failuresMarkdown(result),
    ...sections(
      mistakesSection(result, detail),
      ...fixedFailures(result.verdicts).slice(0, detail.entries).map(fixedSection),
    ),
    ...changeMarkdown(change),
    ...sections(incompleteSection(result.incomplete, detail.entries), warningsSection(result)),
    ...countsMarkdown(result),
    ...chaptersMarkdown(result),
    ...folded(
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
