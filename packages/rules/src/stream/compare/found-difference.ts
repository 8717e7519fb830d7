import type { FoundFile } from "../../engine/found-file.ts";
import { shownValue } from "../../engine/json-value.ts";
import type { FoundThing } from "../../engine/result-draft.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";

/** What one search found and another one did not. */
export interface Lack {
  readonly count: number;
  /** The first three of them, in words. */
  readonly examples: readonly string[];
  /** How many things could be looked for: each would have been noticed if it were missing. */
  readonly lookedFor: number;
  /** Whether more may be missing: one of the two does not say everywhere what exactly it found. */
  readonly isBlurred: boolean;
}

interface Draft {
  count: number;
  readonly examples: string[];
  lookedFor: number;
  isBlurred: boolean;
}

const maxExamples = 3;

function lookFor(draft: Draft, isThere: boolean, shown: () => string): void {
  draft.lookedFor += 1;
  draft.count += Number(!isThere);
  if (!isThere && draft.examples.length < maxExamples) {
    draft.examples.push(shown());
  }
}

function lookForLines(draft: Draft, file: FoundFile, yardstick: FoundFile): void {
  if (file.isOpen || yardstick.isOpen) {
    draft.isBlurred ||= file.isOpen !== yardstick.isOpen;
    return;
  }
  for (const number of yardstick.lines.keys()) {
    lookFor(draft, file.lines.has(number), () => `line ${number} of \`${shownValue(file.path)}\``);
  }
}

const shownFile = ({ path, repository }: FoundFile): string => `\`${shownValue(path)}\` of ${shownValue(repository)}`;

const shownThing = ({ type, repository, subject }: FoundThing): string =>
  `the ${shownValue(type)} match ${subject === "" ? "" : `\`${shownValue(subject)}\` of `}${shownValue(repository)}`;

/**
 * What a search lacks of what `yardstick` found: files, lines of files that both number the lines of, matches of other
 * types. How often something was found, in which order, and in how many elements and events it came makes no difference.
 * A match that does not say what it is a match of may be any match of its type.
 */
export function lackOf(results: ResultFacts, yardstick: ResultFacts): Lack {
  const isBlurred = results.vague.size + yardstick.vague.size > 0;
  const draft: Draft = { count: 0, examples: [], lookedFor: 0, isBlurred };
  for (const [key, file] of results.vague.has("content") ? sharedOf(results, yardstick) : yardstick.files) {
    const own = results.files.get(key);
    lookFor(draft, own !== undefined, () => shownFile(file));
    if (own !== undefined) {
      lookForLines(draft, own, file);
    }
  }
  for (const [key, thing] of yardstick.others) {
    if (!results.vague.has(thing.type)) {
      lookFor(draft, results.others.has(key), () => shownThing(thing));
    }
  }
  return draft;
}

const sharedOf = (results: ResultFacts, { files }: ResultFacts): Iterable<readonly [string, FoundFile]> =>
  [...files].filter(([key]) => results.files.has(key));

/** What is missing, in words. */
export const shownLack = ({ count, examples }: Lack): string =>
  `${examples.join(", ")}${count > examples.length ? ` and ${count - examples.length} more` : ""}`;

/** How what a search found differs from what `yardstick` found. */
export interface Difference {
  /** One clause about what differs; `undefined` when no difference can be told. */
  readonly clause: string | undefined;
  /** What tells this difference apart from others: whether less, more, or both was found. */
  readonly code: "finds-less" | "finds-more" | "finds-other-things";
  /** Whether a difference may have gone unnoticed. */
  readonly isBlurred: boolean;
}

/** Compares what two searches found in both directions. */
export function differenceOf(results: ResultFacts, yardstick: ResultFacts): Difference {
  const lacks = lackOf(results, yardstick);
  const exceeds = lackOf(yardstick, results);
  const clauses = [
    ...(lacks.count > 0 ? [`lacks ${shownLack(lacks)}`] : []),
    ...(exceeds.count > 0 ? [`has ${shownLack(exceeds)} besides`] : []),
  ];
  return {
    clause: clauses.length > 0 ? clauses.join(" and ") : undefined,
    code: exceeds.count === 0 ? "finds-less" : lacks.count === 0 ? "finds-more" : "finds-other-things",
    isBlurred: lacks.isBlurred || exceeds.isBlurred,
  };
}
