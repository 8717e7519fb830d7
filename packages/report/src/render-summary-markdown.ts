import { failsRun, type ReportedFinding, ruleStanding, type RuleVerdict, type RunResult } from "@assay/results";
import { counted } from "./counted.ts";
import { markedExcerpt, placeOf } from "./finding-lines.ts";
import { seenSentence } from "./header-lines.ts";
import {
  brokenSentence,
  entryCare,
  entryPlace,
  fixedFailures,
  fixedSentence,
  knownFailures,
} from "./known-failure-lines.ts";
import { codeBlock, codeSpan, proseText } from "./markdown-text.ts";
import { gapChoices, notedChoices, type OpenChoice } from "./open-choice-lines.ts";
import { outcomeWords, standardClientWords } from "./outcome-words.ts";
import { shownText } from "./shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { unjudgedGroups } from "./unjudged-lines.ts";

/** How many failures, and how many items of any other list, are shown; the rest is counted. */
const shown = { failures: 10, items: 10, sentences: 2, rules: 50 } as const;

const name = (text: string): string => codeSpan(shownText(text, "name"));
const prose = (text: string): string => proseText(shownText(text));

const cut = <Item>(items: readonly Item[], limit: number, lineOf: (item: Item) => string): readonly string[] => {
  const more = items.length - limit;
  return [...items.slice(0, limit).map(lineOf), ...(more > 0 ? [`- and ${more} more`] : [])];
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];

const bannerOf = ({ outcome, exitCode, summary }: RunResult): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  return [`## ${sign} Assay: ${word} (exit code ${exitCode})`, "", prose(summary)];
};

const factsOf = ({ tool, run, exchanges }: RunResult): readonly string[] => {
  const target = `${codeSpan(shownText(run.target, "url"))}${run.embedded ? " (embedded reference server)" : ""}`;
  return [
    "",
    `- Target: ${target}`,
    `- Profile: ${name(run.profile)}${run.strict ? " (strict)" : ""}`,
    `- Run: ${name(run.id)}, seed ${run.seed}, assay ${name(tool.version)}`,
    `- Seen: ${seenSentence(exchanges)}`,
  ];
};

const countColumns = [
  ["passed", "hold"],
  ["failed", "violated"],
  ["warned", "warn"],
  ["known-failure", "known"],
  ["unexpectedly-fixed", "unexpectedly hold"],
  ["not-observed", "not observed"],
  ["not-applicable", "not applicable"],
  ["could-not-run", "could not run"],
] as const;

/** The only table: numbers alone, since text of a target could end a cell. */
const countsOf = ({ counts }: RunResult): readonly string[] => [
  "",
  `| ${countColumns.map(([, heading]) => heading).join(" | ")} |`,
  `|${countColumns.map(() => "--:").join("|")}|`,
  `| ${countColumns.map(([standing]) => counts[standing]).join(" | ")} |`,
];

const excerptOf = ({ excerpt }: ReportedFinding): readonly string[] => {
  if (excerpt === undefined) {
    return [];
  }
  const { before, marked, after, carets } = markedExcerpt(excerpt, 100);
  return ["", ...codeBlock([`${before}${marked}${after}`, carets])];
};

const findingOf = (finding: ReportedFinding): readonly string[] => {
  const place = placeOf(finding);
  const client = finding.standardClient === undefined ? "" : `; ${standardClientWords[finding.standardClient]}`;
  return [
    "",
    `${prose(finding.message)}${place === "" ? "" : ` (${codeSpan(place)})`}${client}`,
    ...excerptOf(finding),
    ...(finding.curl === undefined ? [] : ["", ...codeBlock([shownText(finding.curl, "command")])]),
  ];
};

const failureOf = ({ rule, basis, title, sentences, verdict }: RuleVerdict): readonly string[] => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return [];
  }
  const more = verdict.findings.length - 1 + verdict.moreFindings;
  const sources = sentences
    .slice(0, shown.sentences)
    .flatMap(({ document, section: number, text }) => [
      "",
      `> ${prose(text)} (${name(document)}, section ${name(number)})`,
    ]);
  return [
    "",
    `#### ${name(rule)} (${basis})`,
    "",
    prose(title),
    ...sources,
    ...findingOf(verdict.findings[0]),
    ...(more > 0 ? ["", `and ${counted(more, "more finding")}`] : []),
  ];
};

const failuresOf = ({ verdicts, run }: RunResult): readonly string[] => {
  const failing = verdicts.filter((rule) => failsRun(rule, run.strict) && ruleStanding(rule) !== "unexpectedly-fixed");
  const more = failing.length - shown.failures;
  const lines = failing.slice(0, shown.failures).flatMap(failureOf).slice(1);
  return section("Violations", [...lines, ...(more > 0 ? ["", `and ${counted(more, "more violated rule")}`] : [])]);
};

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
 * `summary.md`: the outcome, counts, what is incomplete or wrong with the lists of known failures, the first violations with
 * their bytes and a way to repeat them, known failures with their reasons, and every rule that was not judged. Nothing a target sent is markup, a link, a mention or an image in it. Every list and text is
 * cut, so it stays far below the 1 MiB that job summaries take.
 */
export const renderSummaryMarkdown = (result: RunResult): string => {
  const incomplete = cut(result.incomplete, shown.items, ({ code, message }) => `- ${name(code)}: ${prose(message)}`);
  const lines = [
    ...bannerOf(result),
    ...factsOf(result),
    ...countsOf(result),
    ...section("Why the run is incomplete", incomplete),
    ...sentencesOf("Mistakes in the known failures", result.knownFailureMistakes),
    ...fixedOf(result),
    ...failuresOf(result),
    ...warningsOf(result),
    ...knownOf(result),
    ...sentencesOf("Known failures that did not show", result.knownFailureNotes),
    ...unjudgedOf(result),
    ...apiOf(result),
    ...choicesOf("Left open by the documents", gapChoices(result)),
    ...choicesOf("Values not seen before", notedChoices(result)),
  ];
  return terminalText(lines);
};
