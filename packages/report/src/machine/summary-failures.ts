import { failsRun, type ReportedFinding, ruleStanding, type RuleVerdict, type RunResult } from "@assay/results";
import { counted } from "../counted.ts";
import { markedExcerpt, placeOf } from "../finding-lines.ts";
import { codeBlock, codeSpan } from "../markdown-text.ts";
import { standardClientWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { markdownName, markdownProse, markdownSection } from "./markdown-parts.ts";

/** How many violations are told in full, and how many of the sentences behind each. */
const shown = { failures: 10, sentences: 2 } as const;

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
    `${markdownProse(finding.message)}${place === "" ? "" : ` (${codeSpan(place)})`}${client}`,
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
      `> ${markdownProse(text)} (${markdownName(document)}, section ${markdownName(number)})`,
    ]);
  return [
    "",
    `#### ${markdownName(rule)} (${basis})`,
    "",
    markdownProse(title),
    ...sources,
    ...findingOf(verdict.findings[0]),
    ...(more > 0 ? ["", `and ${counted(more, "more finding")}`] : []),
  ];
};

/** The rules whose violation makes the run fail. */
export const violatedRules = ({ verdicts, run }: RunResult): readonly RuleVerdict[] =>
  verdicts.filter((rule) => failsRun(rule, run.strict) && ruleStanding(rule) !== "unexpectedly-fixed");

/** The first violations with their bytes and a way to repeat them; the number of the others. */
export const failuresMarkdown = (result: RunResult): readonly string[] => {
  const failing = violatedRules(result);
  const more = failing.length - shown.failures;
  const lines = failing.slice(0, shown.failures).flatMap(failureOf).slice(1);
  return markdownSection("Violations", [
    ...lines,
    ...(more > 0 ? ["", `and ${counted(more, "more violated rule")}`] : []),
  ]);
};
