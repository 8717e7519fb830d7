import { defined } from "@assay/contract";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { wasSentBetween, hasAnyCommit, hasSameCommit, reasonForUnknownState } from "../../engine/compare/same-state.ts";
import { requestsChunks, maxChunkLineLength, searchKey } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { isLongerThan, textLines } from "../../engine/compare/text-lines.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Reports whether the search does not send `max-line-len`. Searches that send -1 are not compared. */
const omitsLineLength = ({ parameters }: Search): boolean => !parameters.has("max-line-len");

/** A file from the search with `max-line-len` and from the search without it. */
interface CutFilePair {
  readonly cutFile: FoundFile;
  readonly wholeFile: FoundFile;
}

/** Length of the longest line end. The target may count it as part of the line. */
const lineEndBytes = 2;

/** Reports whether a line, including its end, fits in every unit. The length in bytes is the largest. */
const isShort = (line: string, maxLength: number): boolean => Buffer.byteLength(line) + lineEndBytes <= maxLength;

/** Reports whether a text contains no invalid bytes, which the target may replace in several ways. */
const isReadable = (text: string): boolean => !text.includes("\u{FFFD}");

/** Returns the lines of a text, without the empty line after a final line feed. */
const linesOf = (text: string): readonly string[] => {
  const lines = textLines(text);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** Reports whether a chunk has only short lines, and at least one that is not blank. */
const isAllShort = (text: string, maxLength: number): boolean =>
  isReadable(text) && /\S/u.test(text) && linesOf(text).every((line) => isShort(line, maxLength));

/** Reports whether a line was not cut: it is unchanged, or longer than without the parameter. */
const isKept = (cutLine: string, wholeLine: string): boolean =>
  cutLine === wholeLine || cutLine.length > wholeLine.length;

/**
 * Reports whether cutting long lines of the complete chunk can result in the cut chunk. The text may end with the first
 * long line or before it. The short lines after that line are therefore compared only if both chunks have the same
 * number of lines.
 */
function canResultFromCutting(cutLines: readonly string[], wholeLines: readonly string[], maxLength: number): boolean {
  const firstLongIndex = wholeLines.findIndex((line) => !isShort(line, maxLength));
  const hasSameLineCount = cutLines.length === wholeLines.length;
  return (
    (hasSameLineCount || firstLongIndex !== -1) &&
    (hasSameLineCount ? wholeLines : wholeLines.slice(0, firstLongIndex)).every(
      (line, index) => !isShort(line, maxLength) || isKept(cutLines[index] ?? "", line),
    )
  );
}

/**
 * Reports whether a chunk continues after a cut line: a line that is not in `wholeChunks` begins like a long line. The
 * target then cuts individual lines, not all text after the first long line.
 */
function isCutByLine(
  cutChunks: readonly (readonly string[])[],
  wholeChunks: readonly (readonly string[])[],
  maxLength: number,
): boolean {
  const wholeLines = new Set(wholeChunks.flat());
  const longLineStarts = new Set(
    wholeChunks.flatMap((lines) => lines.flatMap((line) => (isShort(line, maxLength) ? [] : line.slice(0, 1)))),
  );
  return cutChunks.some((lines) =>
    lines.slice(0, -1).some((text) => !wholeLines.has(text) && longLineStarts.has(text.slice(0, 1))),
  );
}

/**
 * Reports whether each chunk has as many lines as without the parameter. If so, no text after a long line is missing.
 */
const hasSameLineCounts = (
  cutChunks: readonly (readonly string[])[],
  wholeChunks: readonly (readonly string[])[],
): boolean =>
  cutChunks.length === wholeChunks.length &&
  cutChunks.every((lines, index) => lines.length === wholeChunks[index]?.length);

/**
 * Returns the complete chunks that lost a short line: no chunk of the cut file can be the result of cutting them, and
 * no chunk of the cut file contains the line. The division into chunks is unspecified, so a line may be in another
 * chunk. A line after a long line may be missing, because the text may end there.
 */
function changedChunks({ cutFile, wholeFile }: CutFilePair, maxLength: number): readonly string[] {
  const cutChunks = cutFile.chunkTexts.map(linesOf);
  const wholeChunks = wholeFile.chunkTexts.map(linesOf);
  const cutLines = new Set(cutChunks.flat());
  const isComparable =
    wholeChunks.every((lines) => lines.every((line) => isShort(line, maxLength))) ||
    isCutByLine(cutChunks, wholeChunks, maxLength) ||
    hasSameLineCounts(cutChunks, wholeChunks);
  const lacksShortLine = (lines: readonly string[]): boolean => {
    const firstLongIndex = lines.findIndex((line) => !isShort(line, maxLength));
    return (firstLongIndex === -1 ? lines : lines.slice(0, firstLongIndex)).some(
      (line) => line !== "" && !cutLines.has(line),
    );
  };
  return wholeFile.chunkTexts.filter((text) => {
    const lines = linesOf(text);
    return (
      isComparable &&
      isReadable(text) &&
      !cutChunks.some((chunk) => canResultFromCutting(chunk, lines, maxLength)) &&
      lacksShortLine(lines)
    );
  });
}

const hasSameChunks = (left: FoundFile, right: FoundFile | undefined): boolean =>
  left.chunkTexts.length === right?.chunkTexts.length &&
  left.chunkTexts.every((text, index) => text === right.chunkTexts[index]);

/**
 * Returns the files that both searches found in the same state and with the same number of chunks. If no commits are
 * named, repeats before and after must show that the file did not change.
 */
function pairFiles(cutSearch: UsableSearch, repeats: readonly UsableSearch[]): readonly CutFilePair[] {
  const hasCommit = hasAnyCommit([cutSearch, ...repeats]);
  const wasSentBetweenRepeats = wasSentBetween(cutSearch, repeats);
  return [...cutSearch.results.files].flatMap(([key, file]) => {
    const repeatsOfFile = repeats.map(({ results }) => results.files.get(key));
    const isSameFile = (whole: FoundFile): boolean =>
      hasCommit
        ? hasSameCommit(file, whole)
        : wasSentBetweenRepeats && repeatsOfFile.every((other) => hasSameChunks(whole, other));
    return repeatsOfFile
      .filter((whole) => whole !== undefined)
      .filter(
        (whole) => file.chunkTexts.length === whole.chunkTexts.length && !file.lacksChunkText && !whole.lacksChunkText,
      )
      .filter((whole) => isSameFile(whole))
      .map((wholeFile) => ({ cutFile: file, wholeFile }));
  });
}

const isComplete = ({ completeness, results }: UsableSearch): boolean =>
  completeness === "complete" && !results.lacksText;

const noShortLinesReason =
  "no chunk match has only lines that need not be cut; choose a `--query` that finds lines of code";

/**
 * A search with `max-line-len`, and the files to compare with the search without it. `notComparedReason` is set if
 * `pairs` is empty because of the index state.
 */
interface CutSearch {
  readonly cutSearch: UsableSearch;
  readonly maxLength: number;
  readonly pairs: readonly CutFilePair[];
  readonly notComparedReason: string | undefined;
}

function findCutSearches(group: readonly ComparedSearch[]): readonly CutSearch[] {
  const searches = toUsableSearches(group).filter((search) => isComplete(search));
  const repeats = searches.filter(({ search }) => omitsLineLength(search));
  return searches
    .filter(({ search }) => maxChunkLineLength(search) > 0)
    .map((cutSearch) => {
      const pairs = pairFiles(cutSearch, repeats);
      const notComparedReason =
        pairs.length === 0 && repeats.length > 0 ? reasonForUnknownState(cutSearch, repeats) : undefined;
      return { cutSearch, maxLength: maxChunkLineLength(cutSearch.search), pairs, notComparedReason };
    });
}

/** Groups searches with chunk matches that differ only in `max-line-len`. */
const byLineLength: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) => (requestsChunks(search) ? searchKey(search, { "max-line-len": undefined }) : undefined),
  hasPair: hasBoth((search) => maxChunkLineLength(search) > 0, omitsLineLength),
};

/**
 * `max-line-len` truncates longer lines and leaves shorter lines complete. The unit of the length is unspecified, so a
 * line counts as short only if it is short in every unit. Source: search-stream, section 4.
 */
export const maxLineLenKeepsShortLines = defineComparison({
  id: "stream/max-line-len-keeps-short-lines",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cutSearch, pairs, maxLength, notComparedReason } of findCutSearches(group)) {
      const report = reportFor(cutSearch.id);
      const changedTexts = pairs.flatMap((pair) =>
        changedChunks(pair, maxLength).map((text) => ({ text, file: pair.cutFile })),
      );
      const [first] = changedTexts;
      const isConclusive = pairs.some(({ wholeFile }) =>
        wholeFile.chunkTexts.some((text) => isAllShort(text, maxLength)),
      );
      report.observation(Number(first !== undefined || isConclusive));
      if (first === undefined && !isConclusive) {
        report.notTested(notComparedReason ?? noShortLinesReason);
      }
      if (first !== undefined) {
        const message = `search ${
          cutSearch.id
        } with \`max-line-len=${maxLength}\` changes lines that are not longer than that, in ${
          changedTexts.length
        } chunk matches: \`${formatValue(first.text)}\` is missing in \`${formatValue(first.file.path)}\``;
        report.violation({ message });
      }
    }
  },
});

/**
 * Reports whether a cut chunk is a complete chunk without its long lines. The text may end with the first long line, so
 * a short line must follow that line. It returns false for texts with lines that are too long only in some units.
 */
function isWithoutLongLines(cutLines: readonly string[], wholeLines: readonly string[], maxLength: number): boolean {
  const shortLines = wholeLines.filter((line) => isShort(line, maxLength));
  const firstLongIndex = wholeLines.findIndex((line) => !isShort(line, maxLength));
  const nextShortLine = wholeLines.slice(firstLongIndex).find((line) => isShort(line, maxLength) && /\S/u.test(line));
  return (
    firstLongIndex !== -1 &&
    nextShortLine !== undefined &&
    wholeLines.every((line) => isShort(line, maxLength) || isLongerThan(line, maxLength)) &&
    !wholeLines.some((line) => !isShort(line, maxLength) && line.startsWith(nextShortLine.trimEnd())) &&
    cutLines.length === shortLines.length &&
    cutLines.every((line, index) => line === shortLines[index])
  );
}

/**
 * Reports whether `max-line-len` permits a cut chunk for a complete chunk: all of its lines, or the text up to its
 * first long line.
 */
function isPermittedCut(cutLines: readonly string[], wholeLines: readonly string[], maxLength: number): boolean {
  const firstLongIndex = wholeLines.findIndex((line) => !isShort(line, maxLength));
  const hasPermittedLength =
    cutLines.length === wholeLines.length ||
    (firstLongIndex !== -1 && [firstLongIndex, firstLongIndex + 1].includes(cutLines.length));
  return (
    hasPermittedLength &&
    cutLines.every((text, index) => {
      const line = wholeLines[index] ?? "";
      return text === line || (!isShort(line, maxLength) && line.startsWith(text));
    })
  );
}

/**
 * Reports whether more chunks have this text than `max-line-len` permits. Chunks may overlap, and a chunk may happen to
 * equal another chunk without its long lines.
 */
function isSurplus(text: readonly string[], { cutFile, wholeFile }: CutFilePair, maxLength: number): boolean {
  const isText = (lines: readonly string[]): boolean =>
    lines.length === text.length && lines.every((line, index) => line === text[index]);
  const returnedCount = cutFile.chunkTexts.filter((chunk) => isText(linesOf(chunk))).length;
  return returnedCount > wholeFile.chunkTexts.filter((chunk) => isPermittedCut(text, linesOf(chunk), maxLength)).length;
}

/** Reports whether any chunk contains the start of a long line. The division into chunks is unspecified. */
function hasStartOf(line: string, { cutFile, wholeFile }: CutFilePair): boolean {
  const wholeLines = new Set(wholeFile.chunkTexts.flatMap(linesOf));
  return cutFile.chunkTexts
    .flatMap(linesOf)
    .some((text) => text !== "" && (line.startsWith(text) || (text[0] === line[0] && !wholeLines.has(text))));
}

/** Reports whether any chunk ends with a cut line. If so, all text after that line may be missing. */
function endsWithCutLine({ cutFile, wholeFile }: CutFilePair): boolean {
  const wholeLines = new Set(wholeFile.chunkTexts.flatMap(linesOf));
  return cutFile.chunkTexts.some((chunk) => {
    const last = linesOf(chunk).at(-1);
    return last !== undefined && last !== "" && !wholeLines.has(last);
  });
}

/** Checks whether lines could be omitted from the middle of a text, and finds the first text in which they are. */
function findOmission(
  pair: CutFilePair,
  maxLength: number,
): { readonly isConclusive: boolean; readonly text?: string } {
  const { cutFile, wholeFile } = pair;
  const texts = wholeFile.chunkTexts.filter((text) => isReadable(text));
  const isConclusive = texts.some((text) => {
    const lines = linesOf(text);
    return isWithoutLongLines(
      lines.filter((line) => isShort(line, maxLength)),
      lines,
      maxLength,
    );
  });
  const isTextCut = endsWithCutLine(pair);
  const text = texts.find((wholeText) =>
    cutFile.chunkTexts.some((chunk) => {
      const [cutLines, lines] = [linesOf(chunk), linesOf(wholeText)];
      const areLongLinesGone = !isTextCut && lines.every((line) => isShort(line, maxLength) || !hasStartOf(line, pair));
      return isWithoutLongLines(cutLines, lines, maxLength) && isSurplus(cutLines, pair, maxLength) && areLongLinesGone;
    }),
  );
  return { isConclusive, ...defined({ text }) };
}

const noLinesAfterLongReason =
  "no chunk match has a short line after one that is too long; choose a `--query` that finds lines of code";

/**
 * Truncating removes the end of a line or of the text. A long line between other lines must not be omitted. Source:
 * search-stream, section 4.
 */
export const maxLineLenLeavesNoLineOut = defineComparison({
  id: "stream/max-line-len-leaves-no-line-out",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cutSearch, pairs, maxLength, notComparedReason } of findCutSearches(group)) {
      const report = reportFor(cutSearch.id);
      const omissions = pairs.map((pair) => ({
        file: pair.cutFile,
        ...findOmission(pair, maxLength),
      }));
      const omission = omissions.find(({ text }) => text !== undefined);
      const isConclusive = omissions.some((result) => result.isConclusive);
      report.observation(Number(isConclusive));
      if (!isConclusive) {
        report.notTested(notComparedReason ?? noLinesAfterLongReason);
      }
      if (omission !== undefined) {
        const message = `search ${
          cutSearch.id
        } with \`max-line-len=${maxLength}\` omits longer lines from a chunk match of \`${formatValue(
          omission.file.path,
        )}\`, but continues after them`;
        report.violation({ message });
      }
    }
  },
});
