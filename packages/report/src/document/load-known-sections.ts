import { sideText, type KnownFailure, type KnownLoadRule, type LoadResult } from "@assay/results";
import { counted } from "./counted.ts";
import { type Entry, list, type Section } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";
import { fixedClause, knownEntry, knownNotesSection, mistakesSection } from "./run-sections.ts";

type KnownFailureResults = Pick<LoadResult, "judgement" | "knownViolations" | "knownFailureMistakes">;

/** A known failure that occurred in a load: a rule, or the code of a violation if no exchanges were judged. */
export interface KnownInLoad {
  readonly name: string;
  readonly known: KnownFailure;
  /** The number of occurrences, and the first finding. */
  readonly seen: string;
}

const seenText = ({ violations = 0, message = "" }: KnownLoadRule): string =>
  `${counted(violations, "finding")}, first: ${message}`;

const nameOf = (rule: KnownLoadRule): string => `${rule.rule}${sideText(rule)}`;

const rulesWith = ({ judgement }: KnownFailureResults, status: KnownFailure["status"]): readonly KnownLoadRule[] =>
  (judgement?.known ?? []).filter(({ known }) => known.status === status);

/** Returns the known failures that occurred. */
export const knownInLoad = (results: KnownFailureResults): readonly KnownInLoad[] => [
  ...rulesWith(results, "known-failure").map((rule) => ({
    name: nameOf(rule),
    known: rule.known,
    seen: seenText(rule),
  })),
  ...(results.judgement === undefined ? Object.entries(results.knownViolations ?? {}) : []).map(
    ([name, { count, known }]) => ({
      name,
      known,
      seen: counted(count, "time"),
    }),
  ),
];

/** Returns rules that passed although they are listed as known failures, each with a clause of advice. */
export const fixedInLoad = (
  results: KnownFailureResults,
): readonly { readonly name: string; readonly sentence: string }[] =>
  rulesWith(results, "fixed").map((rule) => ({ name: nameOf(rule), sentence: fixedClause("passed", rule.known) }));

/** Returns the mistakes in the lists of known failures. */
export const mistakesInLoad = ({ judgement, knownFailureMistakes }: KnownFailureResults): readonly string[] =>
  (judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes) ?? [];

const max = 20;

/** Lists the known failures of a load, most severe last: not occurred, occurred, fixed, and mistakes in the lists. */
export const knownSectionsOf = (results: KnownFailureResults): readonly Section[] => {
  const detail = { entries: max, where: "" };
  const known = knownInLoad(results);
  const { sign } = verdictWords["fixed"];
  const mistakes = mistakesInLoad(results);
  return [
    knownNotesSection(results.judgement ?? {}, detail),
    {
      title: `Known failures: ${known.length}`,
      blocks: list(
        known.map(({ name, known: entry, seen }) => knownEntry(name, entry, seen)),
        { max },
      ),
    },
    {
      title: "Known failures that no longer fail",
      blocks: list(
        fixedInLoad(results).map(({ name, sentence }): Entry => ({ sign, line: [{ name }, ": ", sentence] })),
        { max },
      ),
    },
    mistakesSection(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }, detail),
  ];
};
