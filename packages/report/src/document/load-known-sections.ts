import { formatSide, type KnownFailure, type KnownLoadRule, type LoadResult } from "@assay/results";
import { counted } from "./counted.ts";
import { type Entry, list, type Section } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";
import {
  describeFixedEntry,
  createKnownEntry,
  createKnownNotesSection,
  createMistakesSection,
} from "./run-sections.ts";

type KnownFailureResults = Pick<LoadResult, "judgement" | "knownViolations" | "knownFailureMistakes">;

/** A known failure that occurred in a load: a rule, or the code of a violation if no exchanges were judged. */
export interface KnownLoadFailure {
  readonly name: string;
  readonly known: KnownFailure;
  /** The number of occurrences, and the first finding. */
  readonly occurrence: string;
}

const describeOccurrence = ({ violations = 0, message = "" }: KnownLoadRule): string =>
  `${counted(violations, "finding")}, first: ${message}`;

const formatRuleName = (rule: KnownLoadRule): string => `${rule.rule}${formatSide(rule)}`;

const selectRulesWithStatus = (
  { judgement }: KnownFailureResults,
  status: KnownFailure["status"],
): readonly KnownLoadRule[] => (judgement?.known ?? []).filter(({ known }) => known.status === status);

/** Returns the known failures that occurred. */
export const listKnownLoadFailures = (results: KnownFailureResults): readonly KnownLoadFailure[] => [
  ...selectRulesWithStatus(results, "known-failure").map((rule) => ({
    name: formatRuleName(rule),
    known: rule.known,
    occurrence: describeOccurrence(rule),
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
export const listFixedLoadFailures = (
  results: KnownFailureResults,
): readonly { readonly name: string; readonly sentence: string }[] =>
  selectRulesWithStatus(results, "fixed").map((rule) => ({
    name: formatRuleName(rule),
    sentence: describeFixedEntry("passed", rule.known),
  }));

/** Returns the errors in known-failure lists. */
export const listMistakesInLoad = ({ judgement, knownFailureMistakes }: KnownFailureResults): readonly string[] =>
  (judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes) ?? [];

const maxEntries = 20;

/** Lists the known failures of a load, most severe last: not occurred, occurred, fixed, and mistakes in the lists. */
export const createKnownFailureSections = (results: KnownFailureResults): readonly Section[] => {
  const detail = { entries: maxEntries, restHint: "" };
  const failures = listKnownLoadFailures(results);
  const { sign } = verdictWords["fixed"];
  const mistakes = listMistakesInLoad(results);
  return [
    createKnownNotesSection(results.judgement ?? {}, detail),
    {
      title: `Known failures: ${failures.length}`,
      blocks: list(
        failures.map(({ name, known: entry, occurrence }) => createKnownEntry(name, entry, occurrence)),
        { max: maxEntries },
      ),
    },
    {
      title: "Known failures that no longer fail",
      blocks: list(
        listFixedLoadFailures(results).map(({ name, sentence }): Entry => ({ sign, line: [{ name }, ": ", sentence] })),
        { max: maxEntries },
      ),
    },
    createMistakesSection(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }, detail),
  ];
};
