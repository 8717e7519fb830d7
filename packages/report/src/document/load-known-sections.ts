import { formatSide, type KnownFailure, type KnownLoadRule, type LoadResult } from "@assay/results";
import { counted } from "./counted.ts";
import { type Entry, list, type Section } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";
import { fixedClause, knownEntry, knownNotesSection, mistakesSection } from "./run-sections.ts";

type KnownFailureResults = Pick<LoadResult, "judgement" | "knownViolations" | "knownFailureMistakes">;

/** A known failure that occurred in a load: a rule, or the code of a violation if no exchanges were judged. */
export interface KnownLoadFailure {
  readonly name: string;
  readonly known: KnownFailure;
  /** The number of occurrences, and the first finding. */
  readonly occurrence: string;
}

const occurrenceText = ({ violations = 0, message = "" }: KnownLoadRule): string =>
  `${counted(violations, "finding")}, first: ${message}`;

const ruleName = (rule: KnownLoadRule): string => `${rule.rule}${formatSide(rule)}`;

const rulesWithStatus = (
  { judgement }: KnownFailureResults,
  status: KnownFailure["status"],
): readonly KnownLoadRule[] => (judgement?.known ?? []).filter(({ known }) => known.status === status);

/** Returns the known failures that occurred. */
export const knownLoadFailures = (results: KnownFailureResults): readonly KnownLoadFailure[] => [
  ...rulesWithStatus(results, "known-failure").map((rule) => ({
    name: ruleName(rule),
    known: rule.known,
    occurrence: occurrenceText(rule),
  })),
  ...(results.judgement === undefined ? Object.entries(results.knownViolations ?? {}) : []).map(
    ([name, { count, known }]) => ({
      name,
      known,
      occurrence: counted(count, "time"),
    }),
  ),
];

/** Returns rules that passed although they are listed as known failures, each with a clause of advice. */
export const fixedLoadFailures = (
  results: KnownFailureResults,
): readonly { readonly name: string; readonly sentence: string }[] =>
  rulesWithStatus(results, "fixed").map((rule) => ({
    name: ruleName(rule),
    sentence: fixedClause("passed", rule.known),
  }));

/** Returns the errors in known-failure lists. */
export const mistakesInLoad = ({ judgement, knownFailureMistakes }: KnownFailureResults): readonly string[] =>
  (judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes) ?? [];

const maxEntries = 20;

/** Lists the known failures of a load, most severe last: not occurred, occurred, fixed, and mistakes in the lists. */
export const knownFailureSections = (results: KnownFailureResults): readonly Section[] => {
  const detail = { entries: maxEntries, restHint: "" };
  const failures = knownLoadFailures(results);
  const { sign } = verdictWords["fixed"];
  const mistakes = mistakesInLoad(results);
  return [
    knownNotesSection(results.judgement ?? {}, detail),
    {
      title: `Known failures: ${failures.length}`,
      blocks: list(
        failures.map(({ name, known: entry, occurrence }) => knownEntry(name, entry, occurrence)),
        { max: maxEntries },
      ),
    },
    {
      title: "Known failures that no longer fail",
      blocks: list(
        fixedLoadFailures(results).map(({ name, sentence }): Entry => ({ sign, line: [{ name }, ": ", sentence] })),
        { max: maxEntries },
      ),
    },
    mistakesSection(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }, detail),
  ];
};
