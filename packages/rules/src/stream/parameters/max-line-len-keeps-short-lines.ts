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

/** Reports whether the search does not set the parameter. A value of -1 is not compared. */
const isUnlimited = ({ parameters }: Search): boolean => !parameters.has("max-line-len");

/** A file in the search with the parameter and in the search without it. */
interface FilePair {
  readonly cut: FoundFile;
  readonly whole: FoundFile;
}

/** Length of possible line ends, which a line length may include. */
const lineEndBytes = 2;

/** Reports whether a line is short enough in any unit, including its end. Its length in bytes is the largest. */
const isShort = (line: string, most: number): boolean => Buffer.byteLength(line) + lineEndBytes <= most;

/** Reports whether a text contains no unreadable bytes, which have several possible replacements. */
const isReadable = (text: string): boolean => !text.includes("\u{FFFD}");

/** Returns the lines of a text, which may end with a line feed or not. */
const linesOf = (text: string): readonly string[] => {
  const lines = textLines(text);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** Reports whether nothing in a chunk must be cut, although something could be. */
const isAllShort = (text: string, most: number): boolean =>
  isReadable(text) && /\S/u.test(text) && linesOf(text).every((line) => isShort(line, most));

/** Reports whether a line was not cut. A line that is longer than without the parameter was not. */
const isKept = (cut: string, whole: string): boolean => cut === whole || cut.length > whole.length;

/**
 * Reports whether one chunk can be the rest of another after long lines were cut. A text may end with the first long
 * line or before it, so the short lines after it are compared only if the number of lines is the same.
 */
function isTruncated(cut: readonly string[], whole: readonly string[], most: number): boolean {
  const long = whole.findIndex((line) => !isShort(line, most));
  const hasAll = cut.length === whole.length;
  return (
    (hasAll || long !== -1) &&
    (hasAll ? whole : whole.slice(0, long)).every(
      (line, index) => !isShort(line, most) || isKept(cut[index] ?? "", line),
    )
  );
}

/**
 * Reports whether a cut line is followed by another line. If so, individual lines are cut and not the text after the
 * first long one.
 */
function isCutByLine(
  left: readonly (readonly string[])[],
  whole: readonly (readonly string[])[],
  most: number,
): boolean {
  const known = new Set(whole.flat());
  const begins = new Set(
    whole.flatMap((lines) => lines.flatMap((line) => (isShort(line, most) ? [] : line.slice(0, 1)))),
  );
  return left.some((lines) => lines.slice(0, -1).some((text) => !known.has(text) && begins.has(text.slice(0, 1))));
}

/**
 * Reports whether each chunk has as many lines as without the parameter, so that no text after a long line is missing.
 */
const hasSameLineCounts = (left: readonly (readonly string[])[], whole: readonly (readonly string[])[]): boolean =>
  left.length === whole.length && left.every((lines, index) => lines.length === whole[index]?.length);

/**
 * Chunks of the complete file that cannot be the origin of any chunk of the other file, and of which the other file
 * lacks a short line. The division into chunks is unspecified, so lines may be in other chunks. They may also be
 * missing with the text after a long line.
 */
function changedChunks({ cut, whole }: FilePair, most: number): readonly string[] {
  const cutChunks = cut.chunkTexts.map(linesOf);
  const wholeChunks = whole.chunkTexts.map(linesOf);
  const present = new Set(cutChunks.flat());
  const isComparable =
    wholeChunks.every((lines) => lines.every((line) => isShort(line, most))) ||
    isCutByLine(cutChunks, wholeChunks, most) ||
    hasSameLineCounts(cutChunks, wholeChunks);
  const isGone = (lines: readonly string[]): boolean => {
    const long = lines.findIndex((line) => !isShort(line, most));
    return (long === -1 ? lines : lines.slice(0, long)).some((line) => line !== "" && !present.has(line));
  };
  return whole.chunkTexts.filter((text) => {
    const lines = linesOf(text);
    return (
      isComparable && isReadable(text) && !cutChunks.some((chunk) => isTruncated(chunk, lines, most)) && isGone(lines)
    );
  });
}

const hasSameChunks = (left: FoundFile, right: FoundFile | undefined): boolean =>
  left.chunkTexts.length === right?.chunkTexts.length &&
  left.chunkTexts.every((text, index) => text === right.chunkTexts[index]);

/**
 * Files that both searches found in the same state, with the same number of chunks. Without commits, copies before and
 * after must show that nothing changed.
 */
function pairFiles(cut: UsableSearch, copies: readonly UsableSearch[]): readonly FilePair[] {
  const hasCommit = haveCommits([cut, ...copies]);
  const isEnclosed = wasSentBetween(cut, copies);
  return [...cut.results.files].flatMap(([key, file]) => {
    const copiesOfFile = copies.map(({ results }) => results.files.get(key));
    const isSame = (whole: FoundFile): boolean =>
      hasCommit ? hasSameCommit(file, whole) : isEnclosed && copiesOfFile.every((other) => hasSameChunks(whole, other));
    return copiesOfFile
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
 * A search with the parameter, and the files to compare with those without it. `reason` is set if there are none
 * because of the state.
 */
interface CutSearch {
  readonly cut: UsableSearch;
  readonly most: number;
  readonly pairs: readonly FilePair[];
  readonly reason: string | undefined;
}

function cutSearches(group: readonly ComparedSearch[]): readonly CutSearch[] {
  const searches = usableSearches(group).filter((search) => isComplete(search));
  const copies = searches.filter(({ search }) => isUnlimited(search));
  return searches
    .filter(({ search }) => maxChunkLineLength(search) > 0)
    .map((cut) => {
      const pairs = pairFiles(cut, copies);
      const reason = pairs.length === 0 && copies.length > 0 ? reasonForUnknownState(cut, copies) : undefined;
      return { cut, most: maxChunkLineLength(cut.search), pairs, reason };
    });
}

/** Groups searches with chunk matches that differ only in the parameter. */
const byLineLength: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) => (requestsChunks(search) ? searchKey(search, { "max-line-len": undefined }) : undefined),
  hasPair: hasBoth((search) => maxChunkLineLength(search) > 0, isUnlimited),
};

/**
 * The parameter truncates lines that are longer than it. Shorter lines are kept complete. Lengths may have any unit, so
 * a line is short only if it is short in every unit. Source: search-stream, section 4.
 */
export const maxLineLenKeepsShortLines = defineComparison({
  id: "stream/max-line-len-keeps-short-lines",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, most, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const changed = pairs.flatMap((pair) => changedChunks(pair, most).map((text) => ({ text, file: pair.cut })));
      const [first] = changed;
      const isConclusive = pairs.some(({ whole }) => whole.chunkTexts.some((text) => isAllShort(text, most)));
      report.observation(Number(first !== undefined || isConclusive));
      if (first === undefined && !isConclusive) {
        report.notTested(reason ?? noneShort);
      }
      if (first !== undefined) {
        const message = `search ${
          cut.id
        } with \`max-line-len=${most}\` changes lines that are not longer than that, in ${
          changed.length
        } chunk matches: \`${formatValue(first.text)}\` is missing in \`${formatValue(first.file.path)}\``;
        report.violation({ message });
      }
    }
  },
});

/**
 * Reports whether a chunk equals another one without its long lines. A text may end with the first long line, so a
 * short line must follow it. False for texts with lines that are too long only in some units.
 */
function isWithoutLong(cut: readonly string[], whole: readonly string[], most: number): boolean {
  const short = whole.filter((line) => isShort(line, most));
  const long = whole.findIndex((line) => !isShort(line, most));
  const next = whole.slice(long).find((line) => isShort(line, most) && /\S/u.test(line));
  return (
    long !== -1 &&
    next !== undefined &&
    whole.every((line) => isShort(line, most) || isLongerThan(line, most)) &&
    !whole.some((line) => !isShort(line, most) && line.startsWith(next.trimEnd())) &&
    cut.length === short.length &&
    cut.every((line, index) => line === short[index])
  );
}

/** Reports whether the parameter permits `cut` for a chunk: all of its lines, or the text up to its first long line. */
function isPermittedRest(cut: readonly string[], whole: readonly string[], most: number): boolean {
  const long = whole.findIndex((line) => !isShort(line, most));
  const isWhole = cut.length === whole.length || (long !== -1 && [long, long + 1].includes(cut.length));
  return (
    isWhole &&
    cut.every((text, index) => {
      const line = whole[index] ?? "";
      return text === line || (!isShort(line, most) && line.startsWith(text));
    })
  );
}

/**
 * Reports whether more chunks have this text than the parameter permits. Chunks may overlap, and a separate chunk may
 * equal another one without its long lines.
 */
function isSurplus(text: readonly string[], { cut, whole }: FilePair, most: number): boolean {
  const isText = (lines: readonly string[]): boolean =>
    lines.length === text.length && lines.every((line, index) => line === text[index]);
  const returnedCount = cut.chunkTexts.filter((chunk) => isText(linesOf(chunk))).length;
  return returnedCount > whole.chunkTexts.filter((chunk) => isPermittedRest(text, linesOf(chunk), most)).length;
}

/** Reports whether any chunk, which need not be the same one, contains the start of a long line. */
function hasStartOf(line: string, { cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunkTexts.flatMap(linesOf));
  return cut.chunkTexts
    .flatMap(linesOf)
    .some((text) => text !== "" && (line.startsWith(text) || (text[0] === line[0] && !known.has(text))));
}

/** Reports whether a chunk ends with a cut line. The text after it may then be missing, including other lines. */
function endsCut({ cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunkTexts.flatMap(linesOf));
  return cut.chunkTexts.some((chunk) => {
    const last = linesOf(chunk).at(-1);
    return last !== undefined && last !== "" && !known.has(last);
  });
}

/** Checks whether lines could be omitted from the middle of a text, and finds the first text in which they are. */
function findOmission(pair: FilePair, most: number): { readonly isConclusive: boolean; readonly text?: string } {
  const { cut, whole } = pair;
  const texts = whole.chunkTexts.filter((text) => isReadable(text));
  const isConclusive = texts.some((text) => {
    const lines = linesOf(text);
    return isWithoutLong(
      lines.filter((line) => isShort(line, most)),
      lines,
      most,
    );
  });
  const isTextCut = endsCut(pair);
  const text = texts.find((text) =>
    cut.chunkTexts.some((chunk) => {
      const [left, lines] = [linesOf(chunk), linesOf(text)];
      const isGone = !isTextCut && lines.every((line) => isShort(line, most) || !hasStartOf(line, pair));
      return isWithoutLong(left, lines, most) && isSurplus(left, pair, most) && isGone;
    }),
  );
  return { isConclusive, ...defined({ text }) };
}

const noneLong =
  "no chunk match has a short line after one that is too long; choose a `--query` that finds lines of code";

/**
 * Truncating removes the end: a long line is cut, or the text ends with it. A long line is not omitted between other
 * lines. Source: search-stream, section 4.
 */
export const maxLineLenLeavesNoLineOut = defineComparison({
  id: "stream/max-line-len-leaves-no-line-out",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, most, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const seen = pairs.map((pair) => ({
        file: pair.cut,
        ...findOmission(pair, most),
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
        } with \`max-line-len=${most}\` omits longer lines from a chunk match of \`${formatValue(
          omission.file.path,
        )}\`, but continues after them`;
        report.violation({ message });
      }
    }
  },
});
