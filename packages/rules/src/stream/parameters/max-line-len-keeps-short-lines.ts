import { defined } from "@assay/contract";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { wasSentBetween, haveCommits, hasSameCommit, reasonForUnknownState } from "../../engine/compare/same-state.ts";
import { requestsChunks, maxChunkLineLength, searchKey } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { isLongerThan, textLines } from "../../engine/compare/text-lines.ts";
import { usableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Reports whether the search does not send `max-line-len`. Searches that send -1 are not compared. */
const isUnlimited = ({ parameters }: Search): boolean => !parameters.has("max-line-len");

/** A file from the search with `max-line-len` and from the search without it. */
interface FilePair {
  readonly cut: FoundFile;
  readonly whole: FoundFile;
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
const isKept = (cut: string, whole: string): boolean => cut === whole || cut.length > whole.length;

/**
 * Reports whether cutting long lines of the chunk `whole` can result in `cut`. The text may end with the first long
 * line or before it. The short lines after that line are therefore compared only if both chunks have the same number of
 * lines.
 */
function isTruncated(cut: readonly string[], whole: readonly string[], maxLength: number): boolean {
  const long = whole.findIndex((line) => !isShort(line, maxLength));
  const hasAll = cut.length === whole.length;
  return (
    (hasAll || long !== -1) &&
    (hasAll ? whole : whole.slice(0, long)).every(
      (line, index) => !isShort(line, maxLength) || isKept(cut[index] ?? "", line),
    )
  );
}

/**
 * Reports whether another line follows a cut line. If so, the target cuts individual lines, not all text after the
 * first long line.
 */
function isCutByLine(
  left: readonly (readonly string[])[],
  whole: readonly (readonly string[])[],
  maxLength: number,
): boolean {
  const known = new Set(whole.flat());
  const begins = new Set(
    whole.flatMap((lines) => lines.flatMap((line) => (isShort(line, maxLength) ? [] : line.slice(0, 1)))),
  );
  return left.some((lines) => lines.slice(0, -1).some((text) => !known.has(text) && begins.has(text.slice(0, 1))));
}

/**
 * Reports whether each chunk has as many lines as without the parameter. If so, no text after a long line is missing.
 */
const hasSameLineCounts = (left: readonly (readonly string[])[], whole: readonly (readonly string[])[]): boolean =>
  left.length === whole.length && left.every((lines, index) => lines.length === whole[index]?.length);

/**
 * Returns the chunks of `whole` that lost a short line: no chunk of `cut` can be the result of cutting them, and no
 * chunk of `cut` contains the line. The division into chunks is unspecified, so a line may be in another chunk. A line
 * after a long line may be missing, because the text may end there.
 */
function changedChunks({ cut, whole }: FilePair, maxLength: number): readonly string[] {
  const cutChunks = cut.chunkTexts.map(linesOf);
  const wholeChunks = whole.chunkTexts.map(linesOf);
  const present = new Set(cutChunks.flat());
  const isComparable =
    wholeChunks.every((lines) => lines.every((line) => isShort(line, maxLength))) ||
    isCutByLine(cutChunks, wholeChunks, maxLength) ||
    hasSameLineCounts(cutChunks, wholeChunks);
  const isGone = (lines: readonly string[]): boolean => {
    const long = lines.findIndex((line) => !isShort(line, maxLength));
    return (long === -1 ? lines : lines.slice(0, long)).some((line) => line !== "" && !present.has(line));
  };
  return whole.chunkTexts.filter((text) => {
    const lines = linesOf(text);
    return (
      isComparable &&
      isReadable(text) &&
      !cutChunks.some((chunk) => isTruncated(chunk, lines, maxLength)) &&
      isGone(lines)
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
function pairFiles(cut: UsableSearch, repeats: readonly UsableSearch[]): readonly FilePair[] {
  const hasCommit = haveCommits([cut, ...repeats]);
  const isEnclosed = wasSentBetween(cut, repeats);
  return [...cut.results.files].flatMap(([key, file]) => {
    const repeatsOfFile = repeats.map(({ results }) => results.files.get(key));
    const isSame = (whole: FoundFile): boolean =>
      hasCommit
        ? hasSameCommit(file, whole)
        : isEnclosed && repeatsOfFile.every((other) => hasSameChunks(whole, other));
    return repeatsOfFile
      .filter((whole) => whole !== undefined)
      .filter(
        (whole) => file.chunkTexts.length === whole.chunkTexts.length && !file.lacksChunkText && !whole.lacksChunkText,
      )
      .filter((whole) => isSame(whole))
      .map((whole) => ({ cut: file, whole }));
  });
}

const isComplete = ({ completeness, results }: UsableSearch): boolean =>
  completeness === "complete" && !results.lacksText;

const noneShort = "no chunk match has only lines that need not be cut; choose a `--query` that finds lines of code";

/**
 * A search with `max-line-len`, and the files to compare with the search without it. `reason` is set if `pairs` is
 * empty because of the index state.
 */
interface CutSearch {
  readonly cut: UsableSearch;
  readonly maxLength: number;
  readonly pairs: readonly FilePair[];
  readonly reason: string | undefined;
}

function cutSearches(group: readonly ComparedSearch[]): readonly CutSearch[] {
  const searches = usableSearches(group).filter((search) => isComplete(search));
  const repeats = searches.filter(({ search }) => isUnlimited(search));
  return searches
    .filter(({ search }) => maxChunkLineLength(search) > 0)
    .map((cut) => {
      const pairs = pairFiles(cut, repeats);
      const reason = pairs.length === 0 && repeats.length > 0 ? reasonForUnknownState(cut, repeats) : undefined;
      return { cut, maxLength: maxChunkLineLength(cut.search), pairs, reason };
    });
}

/** Groups searches with chunk matches that differ only in `max-line-len`. */
const byLineLength: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) => (requestsChunks(search) ? searchKey(search, { "max-line-len": undefined }) : undefined),
  hasPair: hasBoth((search) => maxChunkLineLength(search) > 0, isUnlimited),
};

/**
 * `max-line-len` truncates longer lines and leaves shorter lines complete. The unit of the length is unspecified, so a
 * line counts as short only if it is short in every unit. Source: search-stream, section 4.
 */
export const maxLineLenKeepsShortLines = defineComparison({
  id: "stream/max-line-len-keeps-short-lines",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, maxLength, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const changed = pairs.flatMap((pair) => changedChunks(pair, maxLength).map((text) => ({ text, file: pair.cut })));
      const [first] = changed;
      const isConclusive = pairs.some(({ whole }) => whole.chunkTexts.some((text) => isAllShort(text, maxLength)));
      report.observation(Number(first !== undefined || isConclusive));
      if (first === undefined && !isConclusive) {
        report.notTested(reason ?? noneShort);
      }
      if (first !== undefined) {
        const message = `search ${
          cut.id
        } with \`max-line-len=${maxLength}\` changes lines that are not longer than that, in ${
          changed.length
        } chunk matches: \`${formatValue(first.text)}\` is missing in \`${formatValue(first.file.path)}\``;
        report.violation({ message });
      }
    }
  },
});

/**
 * Reports whether `cut` is `whole` without its long lines. The text may end with the first long line, so a short line
 * must follow that line. It returns false for texts with lines that are too long only in some units.
 */
function isWithoutLong(cut: readonly string[], whole: readonly string[], maxLength: number): boolean {
  const short = whole.filter((line) => isShort(line, maxLength));
  const long = whole.findIndex((line) => !isShort(line, maxLength));
  const next = whole.slice(long).find((line) => isShort(line, maxLength) && /\S/u.test(line));
  return (
    long !== -1 &&
    next !== undefined &&
    whole.every((line) => isShort(line, maxLength) || isLongerThan(line, maxLength)) &&
    !whole.some((line) => !isShort(line, maxLength) && line.startsWith(next.trimEnd())) &&
    cut.length === short.length &&
    cut.every((line, index) => line === short[index])
  );
}

/**
 * Reports whether `max-line-len` permits `cut` for the chunk `whole`: all of its lines, or the text up to its first
 * long line.
 */
function isPermittedRest(cut: readonly string[], whole: readonly string[], maxLength: number): boolean {
  const long = whole.findIndex((line) => !isShort(line, maxLength));
  const isWhole = cut.length === whole.length || (long !== -1 && [long, long + 1].includes(cut.length));
  return (
    isWhole &&
    cut.every((text, index) => {
      const line = whole[index] ?? "";
      return text === line || (!isShort(line, maxLength) && line.startsWith(text));
    })
  );
}

/**
 * Reports whether more chunks have this text than `max-line-len` permits. Chunks may overlap, and a chunk may happen to
 * equal another chunk without its long lines.
 */
function isSurplus(text: readonly string[], { cut, whole }: FilePair, maxLength: number): boolean {
  const isText = (lines: readonly string[]): boolean =>
    lines.length === text.length && lines.every((line, index) => line === text[index]);
  const returnedCount = cut.chunkTexts.filter((chunk) => isText(linesOf(chunk))).length;
  return returnedCount > whole.chunkTexts.filter((chunk) => isPermittedRest(text, linesOf(chunk), maxLength)).length;
}

/** Reports whether any chunk contains the start of a long line. The division into chunks is unspecified. */
function hasStartOf(line: string, { cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunkTexts.flatMap(linesOf));
  return cut.chunkTexts
    .flatMap(linesOf)
    .some((text) => text !== "" && (line.startsWith(text) || (text[0] === line[0] && !known.has(text))));
}

/** Reports whether any chunk ends with a cut line. If so, all text after that line may be missing. */
function endsCut({ cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunkTexts.flatMap(linesOf));
  return cut.chunkTexts.some((chunk) => {
    const last = linesOf(chunk).at(-1);
    return last !== undefined && last !== "" && !known.has(last);
  });
}

/** Checks whether lines could be omitted from the middle of a text, and finds the first text in which they are. */
function findOmission(pair: FilePair, maxLength: number): { readonly isConclusive: boolean; readonly text?: string } {
  const { cut, whole } = pair;
  const texts = whole.chunkTexts.filter((text) => isReadable(text));
  const isConclusive = texts.some((text) => {
    const lines = linesOf(text);
    return isWithoutLong(
      lines.filter((line) => isShort(line, maxLength)),
      lines,
      maxLength,
    );
  });
  const isTextCut = endsCut(pair);
  const text = texts.find((text) =>
    cut.chunkTexts.some((chunk) => {
      const [left, lines] = [linesOf(chunk), linesOf(text)];
      const isGone = !isTextCut && lines.every((line) => isShort(line, maxLength) || !hasStartOf(line, pair));
      return isWithoutLong(left, lines, maxLength) && isSurplus(left, pair, maxLength) && isGone;
    }),
  );
  return { isConclusive, ...defined({ text }) };
}

const noneLong =
  "no chunk match has a short line after one that is too long; choose a `--query` that finds lines of code";

/**
 * Truncating removes the end of a line or of the text. A long line between other lines must not be omitted. Source:
 * search-stream, section 4.
 */
export const maxLineLenLeavesNoLineOut = defineComparison({
  id: "stream/max-line-len-leaves-no-line-out",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, maxLength, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const seen = pairs.map((pair) => ({
        file: pair.cut,
        ...findOmission(pair, maxLength),
      }));
      const omission = seen.find(({ text }) => text !== undefined);
      const isConclusive = seen.some((omission) => omission.isConclusive);
      report.observation(Number(isConclusive));
      if (!isConclusive) {
        report.notTested(reason ?? noneLong);
      }
      if (omission !== undefined) {
        const message = `search ${
          cut.id
        } with \`max-line-len=${maxLength}\` omits longer lines from a chunk match of \`${formatValue(
          omission.file.path,
        )}\`, but continues after them`;
        report.violation({ message });
      }
    }
  },
});
