import type { FoundFile } from "../found-file.ts";
import { formatValue } from "../format-value.ts";
import type { FoundThing } from "../result-draft.ts";
import type { ResultFacts } from "../result-facts.ts";

/** Results of one search that another one lacks. */
export interface MissingResults {
  readonly count: number;
  /** Describes the first three of them. */
  readonly examples: readonly string[];
  /** Number of items that were compared: each would have been noticed if it were missing. */
  readonly lookedFor: number;
  /** Whether more may be missing, because one of the two does not always name what it found. */
  readonly isInconclusive: boolean;
}

interface Draft {
  count: number;
  readonly examples: string[];
  lookedFor: number;
  isInconclusive: boolean;
}

const maxExamples = 3;

function lookFor(draft: Draft, isThere: boolean, shown: () => string): void {
  draft.lookedFor += 1;
  draft.count += Number(!isThere);
  if (!isThere && draft.examples.length < maxExamples) {
    draft.examples.push(shown());
  }
}

function lookForLines(draft: Draft, file: FoundFile, baseline: FoundFile): void {
  if (file.isOpen || baseline.isOpen) {
    draft.isInconclusive ||= file.isOpen !== baseline.isOpen;
    return;
  }
  for (const number of baseline.lines.keys()) {
    lookFor(draft, file.lines.has(number), () => `line ${number} of \`${formatValue(file.path)}\``);
  }
}

const shownFile = ({ path, repository }: FoundFile): string => `\`${formatValue(path)}\` of ${formatValue(repository)}`;

const shownThing = ({ type, repository, subject }: FoundThing): string =>
  `the ${formatValue(type)} match ${subject === "" ? "" : `\`${formatValue(subject)}\` of `}${formatValue(repository)}`;

/**
 * Results of `baseline` that a search lacks: files, lines of files with line numbers in both, matches of other types.
 * Counts, order and the division into elements and events are ignored. A match without a subject may be any match of
 * its type.
 */
export function missingResultsOf(results: ResultFacts, baseline: ResultFacts): MissingResults {
  const isInconclusive = results.unidentified.size + baseline.unidentified.size > 0;
  const draft: Draft = { count: 0, examples: [], lookedFor: 0, isInconclusive };
  for (const [key, file] of results.unidentified.has("content") ? sharedOf(results, baseline) : baseline.files) {
    const own = results.files.get(key);
    lookFor(draft, own !== undefined, () => shownFile(file));
    if (own !== undefined) {
      lookForLines(draft, own, file);
    }
  }
  for (const [key, thing] of baseline.others) {
    if (!results.unidentified.has(thing.type)) {
      lookFor(draft, results.others.has(key), () => shownThing(thing));
    }
  }
  return draft;
}

const sharedOf = (results: ResultFacts, { files }: ResultFacts): Iterable<readonly [string, FoundFile]> =>
  [...files].filter(([key]) => results.files.has(key));

/** Describes the missing results. */
export const shownMissing = ({ count, examples }: MissingResults): string =>
  `${examples.join(", ")}${count > examples.length ? ` and ${count - examples.length} more` : ""}`;

/** Difference between the results of a search and of `baseline`. */
export interface Difference {
  /** One clause about the difference; undefined if none is certain. */
  readonly clause: string | undefined;
  /** Code of the difference: less, more, or both. */
  readonly code: "finds-less" | "finds-more" | "finds-other-things";
  /** Whether a difference may have gone unnoticed. */
  readonly isInconclusive: boolean;
}

/** Compares what two searches found in both directions. */
export function differenceOf(results: ResultFacts, baseline: ResultFacts): Difference {
  const lacks = missingResultsOf(results, baseline);
  const exceeds = missingResultsOf(baseline, results);
  const clauses = [
    ...(lacks.count > 0 ? [`lacks ${shownMissing(lacks)}`] : []),
    ...(exceeds.count > 0 ? [`has ${shownMissing(exceeds)} besides`] : []),
  ];
  return {
    clause: clauses.length > 0 ? clauses.join(" and ") : undefined,
    code: exceeds.count === 0 ? "finds-less" : lacks.count === 0 ? "finds-more" : "finds-other-things",
    isInconclusive: lacks.isInconclusive || exceeds.isInconclusive,
  };
}
