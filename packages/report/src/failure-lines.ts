import { ruleStanding, type RuleVerdict } from "@assay/results";
import { counted } from "./counted.ts";
import { findingLines } from "./finding-lines.ts";
import { painted, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { styledLine, wrapIndented } from "./wrap-text.ts";

/** How many findings of one rule are shown; the rest is counted. */
export const shownFindings = 3;

/** How many of the sentences behind a rule are shown. */
const shownSentences = 2;

/** The line a rule begins with: sign and word, id, basis. */
export const ruleHeading = (rule: RuleVerdict, page: Page): readonly string[] => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  const { columns, paint } = page;
  const id = shownText(rule.rule, "name");
  return styledLine(
    {
      plain: `${sign} ${word}  ${id}  (${rule.basis})`,
      styled: `${painted(sign, `${sign} ${word}`, page)}  ${paint.bold(id)}  ${paint.dim(`(${rule.basis})`)}`,
    },
    columns,
  );
};

const sentenceLines = ({ sentences }: RuleVerdict, { columns, paint }: Page): readonly string[] => {
  const more = sentences.length - shownSentences;
  return [
    ...sentences.slice(0, shownSentences).flatMap(({ document, section, text }) => {
      const source = `${shownText(document, "name")}, section ${shownText(section, "name")}`;
      return wrapIndented(`${source}: ${shownText(text)}`, { columns, indent: 2, hanging: 4 }).map(paint.dim);
    }),
    ...(more > 0 ? [paint.dim(`  and ${counted(more, "more sentence")}`)] : []),
  ];
};

/**
 * Lines of a rule that is violated or warns, also when that is known: id, title and basis, the sentences it comes from, and its first findings in
 * full. Empty for every other verdict.
 */
export const failureLines = (rule: RuleVerdict, page: Page): readonly string[] => {
  const { verdict } = rule;
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return [];
  }
  const shown = verdict.findings.slice(0, shownFindings);
  const more = verdict.findings.length - shown.length + verdict.moreFindings;
  return [
    ...ruleHeading(rule, page),
    ...wrapIndented(shownText(rule.title), { columns: page.columns, indent: 2 }),
    ...sentenceLines(rule, page),
    ...findingLines(shown, page),
    ...(more > 0 ? [`  and ${counted(more, "more finding")}`] : []),
  ];
};
