import { type KnownFailure, ruleStanding, type RuleVerdict } from "@assay/results";
import { counted } from "./counted.ts";
import { failureLines, ruleHeading } from "./failure-lines.ts";
import { painted, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** A rule that a list of known failures speaks of. */
export interface KnownRule {
  readonly rule: RuleVerdict;
  readonly known: KnownFailure;
}

const rulesThat = (verdicts: readonly RuleVerdict[], status: KnownFailure["status"]): readonly KnownRule[] =>
  verdicts.flatMap((rule) =>
    rule.known !== undefined && ruleStanding(rule) === status ? [{ rule, known: rule.known }] : [],
  );

/** The rules that fail or warn as a list says. */
export const knownFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] =>
  rulesThat(verdicts, "known-failure");

/** The rules that hold although a list says that they fail. */
export const fixedFailures = (verdicts: readonly RuleVerdict[]): readonly KnownRule[] =>
  rulesThat(verdicts, "unexpectedly-fixed");

/** Where an entry stands, such as `known.txt, line 3`. */
export const entryPlace = ({ source, line }: KnownFailure): string => `${shownText(source, "url")}, line ${line}`;

/** Who looks after an entry and until when it holds. */
export const entryCare = ({ owner, expires }: KnownFailure): string =>
  `owner ${shownText(owner, "name")}${expires === undefined ? "" : `, until ${shownText(expires, "name")}`}`;

/** How often a rule was broken, and what was seen first. */
export const brokenSentence = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const count = counted(verdict.findings.length + verdict.moreFindings, "finding");
  return `${count}, first: ${shownText(verdict.findings[0].message)}`;
};

/** What to do about an entry whose rule holds, one clause without a full stop. */
export const fixedSentence = ({ rule: { verdict }, known }: KnownRule): string => {
  const held = verdict.outcome === "passed" ? `held ${counted(verdict.observations, "time")}` : "holds";
  return `${held} although listed as a known failure; take the rule out of ${entryPlace(known)}`;
};

const oneKnown = ({ rule, known }: KnownRule, page: Page): readonly string[] => {
  const { sign, word } = verdictWords["known-failure"];
  const { columns, paint } = page;
  const text = `${sign} ${word}  ${shownText(rule.rule, "name")}: ${shownText(known.reason)}`;
  return [
    ...wrapIndented(text, { columns, indent: 2, hanging: 4 }).map((line) => painted(sign, line, page)),
    ...wrapIndented(`${entryPlace(known)}; ${entryCare(known)}`, { columns, indent: 4, hanging: 6 }).map(paint.dim),
    ...wrapIndented(brokenSentence(rule), { columns, indent: 4, hanging: 6 }).map(paint.dim),
  ];
};

/**
 * Known failures under their heading: each with its reason, where it is listed, who looks after it and what was seen first;
 * empty without any. With `verbose` everything a violation has follows.
 */
export const knownFailureLines = (
  verdicts: readonly RuleVerdict[],
  { page, verbose }: { readonly page: Page; readonly verbose: boolean },
): readonly string[] => {
  const known = knownFailures(verdicts);
  return known.length === 0
    ? []
    : [
        page.paint.bold(`Known failures: ${known.length} of ${counted(verdicts.length, "rule")}`),
        ...known.flatMap((one) => oneKnown(one, page)),
        ...(verbose ? known.flatMap(({ rule }) => ["", ...failureLines(rule, page)]) : []),
      ];
};

/** Lines of a rule that holds although it is listed: what to do about it, and the reason given in the list. */
export const fixedLines = (fixed: KnownRule, page: Page): readonly string[] => {
  const { rule, known } = fixed;
  const at = { columns: page.columns, indent: 2, hanging: 4 };
  return [
    ...ruleHeading(rule, page),
    ...wrapIndented(shownText(rule.title), at),
    ...wrapIndented(fixedSentence(fixed), at),
    ...wrapIndented(`the reason given there: ${shownText(known.reason)}`, at),
    ...wrapIndented(entryCare(known), at),
  ];
};

const listLines = (
  {
    heading,
    sentences,
    verbose,
  }: { readonly heading: string; readonly sentences: readonly string[]; readonly verbose: boolean },
  page: Page,
): readonly string[] => {
  const shown = verbose ? sentences : sentences.slice(0, shownSentences);
  const more = sentences.length - shown.length;
  return sentences.length === 0
    ? []
    : [
        heading,
        ...shown.flatMap((text) => wrapIndented(shownText(text), { columns: page.columns, indent: 2, hanging: 4 })),
        ...(more > 0 ? [`  and ${more} more, all of them with --verbose`] : []),
      ];
};

/** How many mistakes or notes are shown without `verbose`. */
const shownSentences = 10;

interface Sentences {
  readonly page: Page;
  readonly verbose: boolean;
}

/** What is wrong with the lists of known failures; empty without any. */
export const mistakeLines = (mistakes: readonly string[] = [], { page, verbose }: Sentences): readonly string[] => {
  const { sign } = verdictWords.failed;
  const heading = painted(sign, page.paint.bold(`${sign} Mistakes in the known failures: ${mistakes.length}`), page);
  return listLines({ heading, sentences: mistakes, verbose }, page);
};

/** Known failures of the tool's own lists that did not show; empty without any. */
export const knownNoteLines = (notes: readonly string[] = [], { page, verbose }: Sentences): readonly string[] =>
  listLines({ heading: page.paint.bold("Known failures that did not show"), sentences: notes, verbose }, page);
