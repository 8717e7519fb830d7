import { isSuccessful } from "../../engine/answer.ts";
import { mayBeSameState } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { limitsLineLength, requestsChunks, maxChunkLineLength, searchKey } from "../../engine/compare/search.ts";
import { isLongerThan, textLines } from "../../engine/compare/text-lines.ts";
import { findSharedFiles } from "../../engine/compare/usable-search.ts";

const filesOf = ({ exchange }: ComparedSearch): readonly FoundFile[] => [...(exchange.results?.files.values() ?? [])];

const maxExamples = 3;

/** Line ends are unspecified, so lines are split at every possible line end. */
// Stryker disable next-line Regex: the opposite of `\v` is no regular expression, and would keep the module from loading.
const anyLineEnd = /\r\n?|[\n\v\f\u{85}\u{2028}\u{2029}]/u;

/** Describes the lines of a search that are too long. It returns undefined if there are none. */
function describeTooLong(search: ComparedSearch, max: number): string | undefined {
  const lines = filesOf(search).flatMap(({ path, chunkTexts }) =>
    chunkTexts
      .flatMap((text) => text.split(anyLineEnd).filter((line) => isLongerThan(line, max)))
      .map((line) => `\`${formatValue(line)}\` in \`${formatValue(path)}\``),
  );
  return lines.length > 0
    ? `${lines.length} longer lines in chunk matches: ${lines.slice(0, maxExamples).join(", ")}`
    : undefined;
}

/**
 * Returns the known lines of a file that any search must contain: those with a line match. Chunk matches also contain
 * context lines, so their lines are added only if both searches request the same number of context lines.
 */
const linesOf = ({ lines, chunkTexts }: FoundFile, isSameContext: boolean): readonly string[] => [
  ...[...lines.values()].map((line) => line ?? ""),
  ...(isSameContext ? chunkTexts : []),
];

/** Reports whether the same search without `max-line-len` shows that a line of the chunk matches had to be cut. */
function mustBeCut({ search, exchange }: ComparedSearch, wholeSearch: ComparedSearch, max: number): boolean {
  if (exchange.results === undefined || wholeSearch.exchange.results === undefined) {
    return false;
  }
  const isSameContext = search.parameters.get("cl") === wholeSearch.search.parameters.get("cl");
  return findSharedFiles(exchange.results, wholeSearch.exchange.results)
    .filter(([cut, file]) => cut.chunkTexts.length > 0 && mayBeSameState(cut, file))
    .flatMap(([, file]) => linesOf(file, isSameContext))
    .some((text) => textLines(text).some((line) => isLongerThan(line, max)));
}

/** Half a character: the replacement of invalid bytes, or a single UTF-16 surrogate. */
const halfCharacter = /[\u{FFFD}\p{Surrogate}]/u;

const hasHalfAt = (line: string, index: number): boolean => line.slice(index).search(halfCharacter) === 0;

/** Returns the lines of a file, if all of its chunk matches have text. */
const linesIfComplete = ({ lines, chunkTexts, lacksChunkText }: FoundFile): readonly string[] =>
  lacksChunkText ? [] : [...lines.values(), ...chunkTexts].flatMap((text) => textLines(text ?? ""));

/**
 * Returns the first cut line with half a character, if every complete line with the same start has a whole character in
 * that position.
 */
function findHalfCharacter(cutFile: FoundFile, wholeFile: FoundFile): string | undefined {
  const wholeLines = linesIfComplete(wholeFile);
  return cutFile.chunkTexts.flatMap(textLines).find((line) => {
    const index = line.search(halfCharacter);
    const linesWithSameStart =
      index < 1
        ? []
        : wholeLines.filter((candidate) => candidate.length > index && candidate.startsWith(line.slice(0, index)));
    return linesWithSameStart.length > 0 && !linesWithSameStart.some((candidate) => hasHalfAt(candidate, index));
  });
}

/** Describes a line that was cut within a character. Compares with the same search with complete lines. */
function describeHalfCharacter(
  { search, exchange }: ComparedSearch,
  wholeSearches: readonly ComparedSearch[],
): string | undefined {
  const comparableSearches = wholeSearches.filter(
    (other) => requestsChunks(other.search) && search.parameters.get("cl") === other.search.parameters.get("cl"),
  );
  const pairs = comparableSearches.flatMap((other) =>
    exchange.results === undefined || other.exchange.results === undefined || other.exchange.results.lacksText
      ? []
      : findSharedFiles(exchange.results, other.exchange.results).filter(([cut, file]) => mayBeSameState(cut, file)),
  );
  const line = pairs.flatMap(([cut, file]) => findHalfCharacter(cut, file) ?? [])[0];
  return line === undefined
    ? undefined
    : `a line that is cut within a character and complete without the parameter: \`${formatValue(line)}\``;
}

/**
 * Lines of chunk matches are cut to the requested length, in some unit, and only between characters. JSON cannot
 * contain half a character. Source: search-stream, sections 2 and 4.
 */
export const maxLineLenCutsLines = defineComparison({
  id: "stream/max-line-len-cuts-lines",
  groupKey: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: (searches) => searches.some((search) => maxChunkLineLength(search) > 0),
  allowUnknownCredential: true,
  judge(group, reportFor) {
    const wholeSearches = group.filter(({ search }) => !limitsLineLength(search));
    for (const cutSearch of group.filter(
      ({ search, exchange }) => maxChunkLineLength(search) > 0 && isSuccessful(exchange),
    )) {
      const max = maxChunkLineLength(cutSearch.search);
      const clause = describeTooLong(cutSearch, max) ?? describeHalfCharacter(cutSearch, wholeSearches);
      const report = reportFor(cutSearch.exchange.record.id);
      report.observation(
        Number(clause !== undefined || wholeSearches.some((search) => mustBeCut(cutSearch, search, max))),
      );
      if (clause !== undefined) {
        const message = `search ${cutSearch.exchange.record.id} with \`max-line-len=${max}\` has ${clause}`;
        report.violation({ message });
      }
    }
  },
});
