import { member } from "@assay/reading";
import { defined } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { readEvents } from "../read-events.ts";
import { readMatchedLines } from "./matched-line.ts";
import type { MatchedLine } from "./matched-line.ts";
import type { Pivot } from "./pivot.ts";

/**
 * Matches names that consist of letters of any script and other characters of repository names and paths, except those with a meaning
 * in a query. Real names are shorter than the maximum length.
 */
const plainName = /^[\p{L}\p{M}\p{N}_./@+ -]{1,200}$/u;
const plainWord = /^[a-z_]\w{2,30}$/iu;
const operators: ReadonlySet<string> = new Set(["and", "or", "not"]);

const splitWords = ({ text }: MatchedLine): readonly string[] =>
  [...new Set(text.toLowerCase().match(/[a-z]{3,30}/gu) ?? [])].filter((word) => !operators.has(word));

/** Returns two words of a line in reverse order. Neither contains the other. */
function findSwappedWords(lines: readonly MatchedLine[]): Pivot["swappedWords"] {
  for (const line of lines) {
    const [earlier, ...laterWords] = splitWords(line);
    const later = laterWords.find(
      (word) => earlier !== undefined && !word.includes(earlier) && !earlier.includes(word),
    );
    if (earlier !== undefined && later !== undefined) {
      return [later, earlier];
    }
  }
  return undefined;
}

/** Matches text that every pattern type interprets in the same way, except for the dot at its end. */
const dottedTextPattern = /[a-z]\w{0,20}\./giu;

/**
 * Finds the longest text that ends with a dot on one line and occurs on a second line with a different character instead of the dot.
 */
function findDottedText(lines: readonly MatchedLine[]): string | undefined {
  const texts = new Set(lines.flatMap(({ text }) => text.toLowerCase().match(dottedTextPattern) ?? []));
  const endings = [...texts].flatMap((text) => Array.from({ length: text.length - 1 }, (_, from) => text.slice(from)));
  return [...new Set(endings)]
    .filter((text) => /^[a-z]/u.test(text))
    .toSorted((first, second) => second.length - first.length || (first < second ? -1 : 1))
    .find((text) => lines.some((line) => matchesOnlyAsRegexp(text, line)));
}

/** Reports whether a line contains the text only with a different character instead of its dot. */
function matchesOnlyAsRegexp(dottedText: string, { text }: MatchedLine): boolean {
  const [line, start] = [text.toLowerCase(), dottedText.slice(0, -1)];
  return !line.includes(dottedText) && line.slice(0, -1).includes(start);
}

/** Matches two adjacent words separated by one space. */
const adjacentWordsPattern = /(?<![\w-])(?<first>[a-z]{3,30}) (?<second>[a-z]{3,30})(?![\w-])/giu;

function findPhrase(lines: readonly MatchedLine[]): Pivot["phrase"] {
  const texts = lines.map(({ text }) => text.toLowerCase());
  const pairs = texts.flatMap((text) => [...text.matchAll(adjacentWordsPattern)].map(({ groups = {} }) => groups));
  const pair = pairs.find(
    ({ first = "", second = "" }) =>
      !operators.has(first) &&
      !operators.has(second) &&
      texts.some((text) => !text.includes(`${first} ${second}`) && (text.includes(first) || text.includes(second))),
  );
  return pair === undefined ? undefined : [pair["first"] ?? "", pair["second"] ?? ""];
}

interface Candidate {
  readonly pivot: Pivot;
  readonly score: number;
}

/** Lines further apart than this have separate context, even with three context lines before and after each. */
const maxSharedContextDistance = 7;

/** Reports whether two neighbouring lines are too far apart to share context lines. */
const hasIsolatedLines = (numbers: readonly number[]): boolean =>
  numbers
    .toSorted((first, second) => first - second)
    .some((number, index, sorted) => number - (sorted[index - 1] ?? number) > maxSharedContextDistance);

/** Rates how conclusive comparisons in a file are: it should have lines to omit, lines to truncate and context lines. */
function scoreFile(lines: readonly MatchedLine[], pivot: Pivot): number {
  const numbers = new Set(lines.map(({ lineNumber }) => lineNumber));
  return (
    Math.min(numbers.size, 5) +
    (lines.some(({ text }) => text.length > 30) ? 3 : 0) +
    (lines.some(({ lineNumber }) => lineNumber > 4) ? 2 : 0) +
    (hasIsolatedLines([...numbers]) ? 1 : 0) +
    (pivot.swappedWords === undefined ? 0 : 2) +
    (pivot.dottedText === undefined ? 0 : 4) +
    (pivot.phrase === undefined ? 0 : 4)
  );
}

/** Rates a file higher if it has a language, because the language filter can then be tested. */
const languageScore = (match: unknown): number => ((member(match, "language") ?? "") === "" ? 0 : 3);

/** Returns the file of a content match, if a query can name it. */
export function readPlainFile(match: unknown): Pick<Pivot, "repository" | "path"> | undefined {
  const [repository, path] = [member(match, "repository"), member(match, "path")];
  if (member(match, "type") !== "content" || typeof repository !== "string" || typeof path !== "string") {
    return undefined;
  }
  return plainName.test(repository) && plainName.test(path) ? { repository, path } : undefined;
}

function createCandidate(match: unknown): Candidate | undefined {
  const file = readPlainFile(match);
  const lines = readMatchedLines(match);
  const word = lines.find(({ highlight }) => plainWord.test(highlight))?.highlight;
  if (file === undefined || word === undefined) {
    return undefined;
  }
  const swappedWords = findSwappedWords(lines);
  const [dottedText, phrase] = [findDottedText(lines), findPhrase(lines)];
  const pivot = {
    ...file,
    word,
    ...defined({ dottedText, phrase, swappedWords }),
  };
  return { pivot, score: scoreFile(lines, pivot) + languageScore(match) };
}

/** Maximum number of matches read. Further matches are ignored. */
const maxMatchesRead = 1000;

/**
 * Selects the file for comparison searches: the best of the first 1,000 matches of a search. Returns undefined if none is unambiguous.
 * After a poor choice the searches only find less.
 */
export function selectPivot(exchange: RecordedExchange): Pivot | undefined {
  let best: Candidate | undefined;
  let matchCount = 0;
  readEvents(exchange, ({ name, value }) => {
    const matches: readonly unknown[] = name === "matches" && Array.isArray(value) ? value : [];
    for (const match of matches.slice(0, maxMatchesRead - matchCount)) {
      matchCount += 1;
      const candidate = createCandidate(match);
      best = candidate !== undefined && candidate.score > (best?.score ?? -1) ? candidate : best;
    }
  });
  return best?.pivot;
}
