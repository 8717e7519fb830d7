import { armText, type KnownFailure, type KnownLoadRule, type LoadResult } from "@assay/results";
import { counted } from "./counted.ts";
import { type Entry, list, type Section } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";
import { knownEntry, knownNotesSection, mistakesSection, outOfList } from "./run-sections.ts";

type Told = Pick<LoadResult, "judgement" | "knownViolations" | "knownFailureMistakes">;

/** A failure of a load that is known: a rule, or where no exchange was judged the code of a violation. */
export interface KnownInReport {
  readonly name: string;
  readonly known: KnownFailure;
  /** How often, and what was seen first. */
  readonly seen: string;
}

const seenOf = ({ violations = 0, message = "" }: KnownLoadRule): string =>
  `${counted(violations, "finding")}, first: ${message}`;

const nameOf = (rule: KnownLoadRule): string => `${rule.rule}${armText(rule)}`;

const rulesThat = ({ judgement }: Told, status: KnownFailure["status"]): readonly KnownLoadRule[] =>
  (judgement?.known ?? []).filter(({ known }) => known.status === status);

/** What fails as a list says. */
export const knownInReport = (told: Told): readonly KnownInReport[] => [
  ...rulesThat(told, "known-failure").map((rule) => ({ name: nameOf(rule), known: rule.known, seen: seenOf(rule) })),
  ...(told.judgement === undefined ? Object.entries(told.knownViolations ?? {}) : []).map(
    ([name, { count, known }]) => ({
      name,
      known,
      seen: counted(count, "time"),
    }),
  ),
];

/** Rules that hold although a list says that they fail, each with what to do about it, one clause. */
export const fixedInReport = (told: Told): readonly { readonly name: string; readonly sentence: string }[] =>
  rulesThat(told, "fixed").map((rule) => ({
    name: nameOf(rule),
    sentence: outOfList("passed", rule.known),
  }));

/** What is wrong with the lists; absent without any. */
export const mistakesInReport = ({ judgement, knownFailureMistakes }: Told): readonly string[] =>
  (judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes) ?? [];

const most = 20;

/** What lists of known failures come to in a load, most severe last: those that did not show, those that did, those that are fixed, mistakes. */
export const knownSectionsOf = (told: Told): readonly Section[] => {
  const detail = { entries: most, where: "" };
  const known = knownInReport(told);
  const { sign } = verdictWords["fixed"];
  const mistakes = mistakesInReport(told);
  return [
    knownNotesSection(told.judgement ?? {}, detail),
    {
      title: `Known failures: ${known.length}`,
      blocks: list(
        known.map(({ name, known: entry, seen }) => knownEntry(name, entry, seen)),
        { most },
      ),
    },
    {
      title: "Known failures that no longer fail",
      blocks: list(
        fixedInReport(told).map(({ name, sentence }): Entry => ({ sign, line: [{ name }, ": ", sentence] })),
        { most },
      ),
    },
    mistakesSection(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }, detail),
  ];
};
