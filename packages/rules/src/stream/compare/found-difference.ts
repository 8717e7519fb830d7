import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { FoundThing } from "../../engine/result-draft.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";

/** What one search found and another one did not. */
export interface MissingResults {
  readonly count: number;
  /** The first three of them, in words. */
  readonly examples: readonly string[];
  /** How many things could be looked for: each would have been noticed if it were missing. */
  readonly lookedFor: number;
  /** Whether more may be missing: one of the two does not say everywhere what exactly it found. */
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
 * What a search lacks of what `baseline` found: files, lines of files that both number the lines of, matches of other
 * types. How often something was found, in which order, and in how many elements and events it came makes no difference.
 * A match that does not say what it is a match of may be any match of its type.
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

/** What is missing, in words. */
export const shownMissing = ({ count, examples }: MissingResults): string =>
  `${examples.join(", ")}${count > examples.length ? ` and ${count - examples.length} more` : ""}`;

/** How what a search found differs from what `baseline` found. */
export interface Difference {
  /** One clause about what differs; `undefined` when no difference can be told. */
  readonly clause: string | undefined;
  /** What tells this difference apart from others: whether less, more, or both was found. */
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
