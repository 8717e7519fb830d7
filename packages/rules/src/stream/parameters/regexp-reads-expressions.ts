import { matchedLines } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison, groupBy } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { usesDefaultType, queryPatternType } from "../../engine/compare/pattern-type-selection.ts";
import {
  searchesInSameState,
  notCompared,
  differentStateReason,
  compareStates,
} from "../../engine/compare/same-state.ts";
import { ineffectiveParameters, maxTimesSent, searchKey, sentPatternType } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { wasSentDuring, findStableSearch } from "../../engine/compare/stable-search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** A query for one pattern in one file, split into its parts. */
interface FileQuery {
  /** The filters that select the file. */
  readonly fileFilters: string;
  readonly pattern: string;
}

const fileFilter = /^(?:repo|file):\S+$/iu;
const otherFilter = /^(?:count|patterntype):\S*$/iu;

/**
 * A word that is unambiguous as an expression. It may have one dot, percent sign, quote or escaped plus sign after its first letter.
 * Only with a dot it differs from the same text.
 */
const unambiguousPattern = /^[\p{L}\p{N}_]+(?:(?:\.|%|['"]|\[\+\])[\p{L}\p{N}_]*)?$/u;
const plainWord = /^\w+$/u;
const asciiOnly = /^[\x20-\x7e]*$/u;

function parseFileQuery({ parameters }: Search): FileQuery | undefined {
  const tokens = (parameters.get("q") ?? "").split(/\s+/u).filter((token) => !otherFilter.test(token));
  const filters = tokens.filter((token) => fileFilter.test(token));
  const [pattern = "", ...others] = tokens.filter((token) => !fileFilter.test(token));
  return filters.length === 2 && others.length === 0 && unambiguousPattern.test(pattern)
    ? { fileFilters: filters.join(" "), pattern }
    : undefined;
}

const patternOf = (search: Search): string => parseFileQuery(search)?.pattern ?? "";

/** Reports whether the pattern is no plain word and its type, set by `t` or the filter, is `regexp`. */
const requestsExpression = (search: Search): boolean =>
  parseFileQuery(search) !== undefined &&
  !plainWord.test(patternOf(search)) &&
  (queryPatternType(search) ?? sentPatternType(search)) === "regexp";

const requestsWord = (search: Search): boolean => usesDefaultType(search) && plainWord.test(patternOf(search));

const groupByPattern = (group: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupBy(group, ({ search }) => patternOf(search));

const spanOf = ({ firstSentAtMicros, lastSentAtMicros }: StableSearch): number => lastSentAtMicros - firstSentAtMicros;

/** Finds the search for a word with results in one file whose repeats, which all found the same, are the furthest apart. */
const findWordSearch = (wordSearches: readonly ComparedSearch[]): StableSearch | undefined =>
  // Searches with another `count:` may find less.
  groupBy(wordSearches, ({ search }) => search.parameters.get("q"))
    .flatMap((repeats) => findStableSearch(repeats) ?? [])
    .filter(({ first }) => first.completeness === "complete" && first.results.files.size === 1)
    .toSorted((left, right) => spanOf(right) - spanOf(left))
    .at(0);

/** Returns the numbers of the lines that match the pattern as an expression. With a dot, they must not match it as text. */
function linesOfExpression(file: FoundFile, pattern: string): readonly number[] {
  const expression = new RegExp(pattern, "u");
  const isText = (text: string): boolean => pattern.includes(".") && text.toLowerCase().includes(pattern.toLowerCase());
  return matchedLines(file).flatMap(([number, text]) =>
    text !== undefined && expression.test(text) && !isText(text) ? [number] : [],
  );
}

/** Returns the first line that a search shows although its expression does not match it. The case of letters may be ignored. */
function findStrangeLine(search: UsableSearch): string | undefined {
  const pattern = patternOf(search.search);
  const expression = new RegExp(pattern, "iu");
  const isWholeLine = !search.search.parameters.has("max-line-len");
  const lines = isWholeLine && asciiOnly.test(pattern) ? [...search.results.files.values()].flatMap(matchedLines) : [];
  const [number] = lines.find(([, text]) => text !== undefined && !expression.test(text)) ?? [];
  return number === undefined ? undefined : `line ${number}`;
}

/** Reports whether a search found any of these lines of a file. It returns undefined if that is unknown. */
function findsAny({ results }: UsableSearch, [key, lines]: readonly [string, readonly number[]]): boolean | undefined {
  const file = results.files.get(key);
  return file?.mayHaveMoreLines === true ? undefined : lines.some((line) => file?.lines.has(line) === true);
}

/**
 * Reports whether a search finds lines that match as an expression. A search for a word must show those lines in the same
 * index state.
 */
const isInterpretedAsExpression = (search: UsableSearch, wordSearches: readonly UsableSearch[]): boolean =>
  searchesInSameState(search, wordSearches).some(({ results }) =>
    [...results.files].some(
      ([key, file]) => findsAny(search, [key, linesOfExpression(file, patternOf(search.search))]) === true,
    ),
  );

/** The searches with which searches for an expression are compared. */
interface FileComparison {
  /** A search for a word that returns the file. All of its repeats returned the same results. */
  readonly base: StableSearch;
  /** All usable searches of the file, for any text. */
  readonly fileSearches: readonly UsableSearch[];
}

/**
 * Reports whether any search saw a different state of the file: it names a different commit, or does not find a word
 * that other searches find.
 */
const sawDifferentStates = ({ base: { first }, fileSearches }: FileComparison): boolean =>
  fileSearches.some(
    ({ results, search }) =>
      compareStates(results, first.results) === "different" || (requestsWord(search) && results.files.size === 0),
  );

function judgePattern(
  comparison: FileComparison,
  repeats: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const { base } = comparison;
  const expressionSearches = toUsableSearches(repeats).filter(
    (search) =>
      search.completeness === "complete" &&
      search.isFinished &&
      wasSentDuring(search, base) &&
      compareStates(search.results, base.first.results) !== "different",
  );
  const [first] = expressionSearches;
  const [[key, file] = []] = base.first.results.files;
  if (first === undefined || key === undefined || file === undefined) {
    return;
  }
  const lines = linesOfExpression(file, patternOf(first.search));
  const outcomes = new Set(
    expressionSearches.map((search) => (lines.length === 0 ? undefined : findsAny(search, [key, lines]))),
  );
  const hasFound = outcomes.has(true);
  // A search without results names no commit, and a single search may have seen a different index state. If other
  // searches saw several states, these searches may have too.
  if (!hasFound && (expressionSearches.length < 2 || outcomes.has(undefined))) {
    reportFor(first.id).notTested(notCompared.sameResults);
    return;
  }
  if (!hasFound && sawDifferentStates(comparison)) {
    reportFor(first.id).notTested(differentStateReason(maxTimesSent(comparison.fileSearches)));
    return;
  }
  reportFor(first.id).observation();
  if (!hasFound) {
    const message = `search ${first.id} with the pattern type regexp finds ${lines.length === 1 ? "not the line" : `none of the ${lines.length} lines`} of search ${base.first.id} that its expression matches, and neither does any of the ${expressionSearches.length} searches that request the same with \`t\` or \`patternType:\``;
    reportFor(first.id).violation({ message });
  }
}

/** Reports a search that shows a line which its expression does not match. */
function judgeShownLines(searches: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const search of toUsableSearches(searches)) {
    const line = findStrangeLine(search);
    if (line !== undefined) {
      reportFor(search.id).observation();
      const message = `search ${search.id} with the pattern type regexp shows ${line}, which its expression does not match`;
      reportFor(search.id).violation({ message });
    }
  }
}

/**
 * A query with the pattern type `regexp` is a regular expression. A dot matches any character in every syntax, and letters
 * of any script, percent signs and quotes within a word match themselves. So the query finds lines that another search of
 * the same file returns, and no line that it does not match. The rule needs no difference between pattern types. It
 * therefore also detects a target that ignores `t` and `patternType:` and treats every query as text, or decodes a query
 * wrongly. Source: search-stream, section 4.
 */
export const regexpReadsExpressions = defineComparison({
  id: "stream/regexp-reads-expressions",
  groupKey(search) {
    const query = parseFileQuery(search);
    return query === undefined
      ? undefined
      : searchKey(search, { ...ineffectiveParameters(search), q: query.fileFilters, t: undefined, v: undefined });
  },
  hasPair: (searches) => searches.some(requestsExpression) && searches.some(requestsWord),
  judge(group, reportFor, { wholeGroup }) {
    const wordSearches = group.filter(({ search }) => requestsWord(search));
    const usableWordSearches = toUsableSearches(wordSearches);
    const base = findWordSearch(wordSearches);
    judgeShownLines(
      group.filter(({ search }) => requestsExpression(search)),
      reportFor,
    );
    for (const repeats of groupByPattern(group.filter(({ search }) => requestsExpression(search)))) {
      const interpretedSearch = toUsableSearches(repeats).find((search) =>
        isInterpretedAsExpression(search, usableWordSearches),
      );
      if (interpretedSearch !== undefined) {
        reportFor(interpretedSearch.id).observation();
      } else if (base === undefined) {
        reportFor(repeats[0]?.exchange.record.id ?? "").notTested(notCompared.unknownState);
      } else {
        judgePattern({ base, fileSearches: toUsableSearches(wholeGroup) }, repeats, reportFor);
      }
    }
  },
});
