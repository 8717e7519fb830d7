import { failsRun, ruleStanding, type RunChange, type RunResult, type RunTimelines } from "@assay/results";
import {
  brokenSentence,
  entryCare,
  entryPlace,
  fixedFailures,
  fixedSentence,
  knownFailures,
} from "./known-failure-lines.ts";
import {
  cutList as cut,
  markdownName as name,
  markdownProse as prose,
  markdownSection as section,
} from "./machine/markdown-parts.ts";
import { stateDiagramMarkdown } from "./machine/state-diagram-markdown.ts";
import { failuresMarkdown } from "./machine/summary-failures.ts";
import {
  bannerMarkdown,
  changeMarkdown,
  countsMarkdown,
  factsMarkdown,
  matrixMarkdown,
} from "./machine/summary-head.ts";
import { codeSpan } from "./markdown-text.ts";
import { gapChoices, notedChoices, type OpenChoice } from "./open-choice-lines.ts";
import { terminalText } from "./terminal-text.ts";
import { unjudgedGroups } from "./unjudged-lines.ts";

/** How many items of a list are shown; the rest is counted. */
const shown = { items: 10, rules: 50 } as const;

/** What a summary may know besides the result. */
export interface SummaryOptions {
  /** What changed since a baseline. */
  readonly change?: RunChange;
  /** For the state diagrams. */
  readonly timelines?: Pick<RunTimelines, "diagrams">;
}

const warningsOf = ({ verdicts, run }: RunResult): readonly string[] => {
  const warning = verdicts.filter((rule) => ruleStanding(rule) === "warned" && !failsRun(rule, run.strict));
  return section(
    "Warnings",
    cut(warning, shown.items, ({ rule, title }) => `- ${name(rule)}: ${prose(title)}`),
  );
};

const knownOf = ({ verdicts }: RunResult): readonly string[] =>
  section(
    "Known failures",
    cut(knownFailures(verdicts), shown.items, ({ rule, known }) => {
      const place = `${codeSpan(entryPlace(known))}, ${codeSpan(entryCare(known))}`;
      return `- ${name(rule.rule)}: ${prose(known.reason)} (${place}; ${prose(brokenSentence(rule))})`;
    }),
  );

const fixedOf = ({ verdicts }: RunResult): readonly string[] =>
  section(
    "Known failures that are gone",
    cut(fixedFailures(verdicts), shown.items, (fixed) => {
      const { rule, known } = fixed;
      return `- ${name(rule.rule)}: ${prose(fixedSentence(fixed))} (${prose(known.reason)}; ${codeSpan(entryCare(known))})`;
    }),
  );

const sentencesOf = (title: string, sentences: readonly string[] = []): readonly string[] =>
  section(
    title,
    cut(sentences, shown.items, (sentence) => `- ${prose(sentence)}`),
  );

const unjudgedOf = ({ verdicts }: RunResult): readonly string[] =>
  section(
    "Not judged",
    cut(unjudgedGroups(verdicts), shown.items, ({ word, reason, rules }) => {
      const more = rules.length - shown.rules;
      const ids = `${rules.slice(0, shown.rules).map(name).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
      return `- ${word} (${rules.length})${reason === undefined ? "" : `, ${prose(reason)}`}: ${ids}`;
    }),
  );

const choicesOf = (title: string, choices: readonly OpenChoice[]): readonly string[] =>
  section(
    title,
    cut(choices, shown.items, (choice) => `- ${name(choice.name)}: ${prose(choice.messages[0] ?? "")}`),
  );

const apiOf = ({ openapi }: RunResult): readonly string[] => {
  if (openapi === undefined) {
    return [];
  }
  const { source, address = "", notes, differences } = openapi;
  const origin = source === "served" ? `the target's own, ${codeSpan(address)}` : "the one that comes with the tool";
  const lines = [...notes, ...differences].map((sentence) => `- ${prose(sentence)}`);
  return section("OpenAPI document", [`Judged by ${origin}.`, "", ...cut(lines, shown.items, (line) => line)]);
};

/**
 * `summary.md`, which is also the summary of a job: the outcome, what changed since the baseline, counts, what is incomplete or
 * wrong with the lists of known failures, the first violations with their bytes and a way to repeat them, the matrix of sections
 * and interfaces, known failures with their reasons, every rule that was not judged, and observed states as a diagram. Nothing a
 * target sent is markup, a link, a mention or an image in it. Every list and text is cut, so it stays far below the 1 MiB that
 * job summaries take.
 */
export const renderSummaryMarkdown = (result: RunResult, { change, timelines }: SummaryOptions = {}): string => {
  const incomplete = cut(result.incomplete, shown.items, ({ code, message }) => `- ${name(code)}: ${prose(message)}`);
  const lines = [
    ...bannerMarkdown(result),
    ...factsMarkdown(result),
    ...countsMarkdown(result),
    ...changeMarkdown(change),
    ...section("Why the run is incomplete", incomplete),
    ...sentencesOf("Mistakes in the known failures", result.knownFailureMistakes),
    ...fixedOf(result),
    ...failuresMarkdown(result),
    ...warningsOf(result),
    ...matrixMarkdown(result),
    ...knownOf(result),
    ...sentencesOf("Known failures that did not show", result.knownFailureNotes),
    ...unjudgedOf(result),
    ...apiOf(result),
    ...choicesOf("Left open by the documents", gapChoices(result)),
    ...choicesOf("Values not seen before", notedChoices(result)),
    ...stateDiagramMarkdown(timelines?.diagrams ?? []),
  ];
  return terminalText(lines);
};
