import { defined } from "@assay/contract";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { isBetween, hasCommits, isKnownState, reasonUnknown } from "../../engine/compare/same-state.ts";
import { isWithChunks, longestOf, searchKey } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { isLongerThan, textLines } from "../../engine/compare/text-lines.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Another rule checks -1. */
const isUnlimited = ({ parameters }: Search): boolean => !parameters.has("max-line-len");

/** A file in the search with the parameter and in the one without it. */
interface FilePair {
  readonly cut: FoundFile;
  readonly whole: FoundFile;
}

/** Possible line ends; a length may include them. */
const lineEndBytes = 2;

/** Reports whether a line is short enough in any unit, including its end: bytes give the maximum. */
const isShort = (line: string, most: number): boolean => Buffer.byteLength(line) + lineEndBytes <= most;

/** Unreadable bytes have several possible replacements. */
const isReadable = (text: string): boolean => !text.includes("\u{FFFD}");

/** A text may end with a line feed or not. */
const linesOf = (text: string): readonly string[] => {
  const lines = textLines(text);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** Reports whether nothing in a chunk must be cut, and something could be. */
const isAllShort = (text: string, most: number): boolean =>
  isReadable(text) && /\S/u.test(text) && linesOf(text).every((line) => isShort(line, most));

/** A line that is longer than without the parameter was not cut. */
const isKept = (cut: string, whole: string): boolean => cut === whole || cut.length > whole.length;

/**
 * Reports whether one chunk can be the rest of another one after long lines are cut. A text may end with the first long
 * line or before it, so the short lines after it only count if the number of lines is the same.
 */
function isLeftOf(cut: readonly string[], whole: readonly string[], most: number): boolean {
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
 * Reports whether a cut line is followed by another one: then lines are cut, and not the text after the first long one.
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

/** Reports whether each chunk has as many lines as without the parameter: then no text after a long line is gone. */
const hasSameLineCounts = (left: readonly (readonly string[])[], whole: readonly (readonly string[])[]): boolean =>
  left.length === whole.length && left.every((lines, index) => lines.length === whole[index]?.length);

/**
 * Chunks of the whole file that cannot be the origin of any chunk of the other one, and of which the other one lacks
 * a short line. The division into chunks is unspecified, so lines may be in other chunks; they may be gone with the
 * text after a long line.
 */
function changedChunks({ cut, whole }: FilePair, most: number): readonly string[] {
  const left = cut.chunks.map(linesOf);
  const all = whole.chunks.map(linesOf);
  const there = new Set(left.flat());
  const isComparable =
    all.every((lines) => lines.every((line) => isShort(line, most))) ||
    isCutByLine(left, all, most) ||
    hasSameLineCounts(left, all);
  const isGone = (lines: readonly string[]): boolean => {
    const long = lines.findIndex((line) => !isShort(line, most));
    return (long === -1 ? lines : lines.slice(0, long)).some((line) => line !== "" && !there.has(line));
  };
  return whole.chunks.filter((text) => {
    const lines = linesOf(text);
    return isComparable && isReadable(text) && !left.some((one) => isLeftOf(one, lines, most)) && isGone(lines);
  });
}

const hasSameChunks = (one: FoundFile, other: FoundFile | undefined): boolean =>
  one.chunks.length === other?.chunks.length && one.chunks.every((text, index) => text === other.chunks[index]);

/**
 * Files that both found in the same state, with the same number of chunks; without commits, copies before and after
 * show it.
 */
function pairsOf(cut: UsableSearch, copies: readonly UsableSearch[]): readonly FilePair[] {
  const hasCommit = hasCommits([cut, ...copies]);
  const isEnclosed = isBetween(cut, copies);
  return [...cut.results.files].flatMap(([key, file]) => {
    const found = copies.map(({ results }) => results.files.get(key));
    const isSame = (whole: FoundFile): boolean =>
      hasCommit ? isKnownState(file, whole) : isEnclosed && found.every((other) => hasSameChunks(whole, other));
    return found
      .filter((whole) => whole !== undefined)
      .filter((whole) => file.chunks.length === whole.chunks.length && !file.lacksChunkText && !whole.lacksChunkText)
      .filter((whole) => isSame(whole))
      .map((whole) => ({ cut: file, whole }));
  });
}

const isComplete = ({ standing, results }: UsableSearch): boolean => standing === "complete" && !results.lacksText;

const noneShort = "no chunk match has only lines that may stay whole; choose a `--query` that finds lines of code";

/**
 * A search with the parameter, the files to compare with those without it, and why there are none if the state is the
 * reason.
 */
interface CutSearch {
  readonly cut: UsableSearch;
  readonly most: number;
  readonly pairs: readonly FilePair[];
  readonly reason: string | undefined;
}

function cutSearches(group: readonly ComparedSearch[]): readonly CutSearch[] {
  const searches = usableOf(group).filter((search) => isComplete(search));
  const copies = searches.filter(({ search }) => isUnlimited(search));
  return searches
    .filter(({ search }) => longestOf(search) > 0)
    .map((cut) => {
      const pairs = pairsOf(cut, copies);
      const reason = pairs.length === 0 && copies.length > 0 ? reasonUnknown(cut, copies) : undefined;
      return { cut, most: longestOf(cut.search), pairs, reason };
    });
}

/** Groups searches with chunk matches that only differ in the parameter. */
const byLineLength: Pick<Comparison, "groupOf" | "hasPair"> = {
  groupOf: (search) => (isWithChunks(search) ? searchKey(search, { "max-line-len": undefined }) : undefined),
  hasPair: hasBoth((search) => longestOf(search) > 0, isUnlimited),
};

/**
 * The parameter truncates lines that are longer than it: shorter lines stay whole. Lengths may have any unit, so a
 * line is short only if it is in every unit. Source: search-stream, section 4.
 */
export const maxLineLenKeepsShortLines = defineComparison({
  id: "stream/max-line-len-keeps-short-lines",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, most, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const changed = pairs.flatMap((pair) => changedChunks(pair, most).map((text) => ({ text, file: pair.cut })));
      const [first] = changed;
      const isTelling = pairs.some(({ whole }) => whole.chunks.some((text) => isAllShort(text, most)));
      report.observation(Number(first !== undefined || isTelling));
      if (first === undefined && !isTelling) {
        report.notTested(reason ?? noneShort);
      }
      if (first !== undefined) {
        const message = `search ${
          cut.id
        } with \`max-line-len=${most}\` has changed lines that are not longer than that, in ${
          changed.length
        } chunk matches: \`${formatValue(first.text)}\` in \`${formatValue(first.file.path)}\` is not there`;
        report.violation({ message });
      }
    }
  },
});

/**
 * Reports whether a chunk is another one without its long lines. A text may end with the first long line, so a short
 * line must follow it. Undecided for texts with lines that are too long only in some units.
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
 * Reports whether more chunks have this text than the parameter permits: chunks may overlap, and a separate chunk may
 * equal another one without its long lines.
 */
function isSurplus(text: readonly string[], { cut, whole }: FilePair, most: number): boolean {
  const isText = (lines: readonly string[]): boolean =>
    lines.length === text.length && lines.every((line, index) => line === text[index]);
  const came = cut.chunks.filter((chunk) => isText(linesOf(chunk))).length;
  return came > whole.chunks.filter((chunk) => isPermittedRest(text, linesOf(chunk), most)).length;
}

/** Reports whether some chunk, which may be another one than before, has the start of a long line. */
function isBegun(line: string, { cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunks.flatMap(linesOf));
  return cut.chunks
    .flatMap(linesOf)
    .some((text) => text !== "" && (line.startsWith(text) || (text[0] === line[0] && !known.has(text))));
}

/** Reports whether a chunk ends with a cut line: then the text after it may be gone, also in other lines. */
function endsCut({ cut, whole }: FilePair): boolean {
  const known = new Set(whole.chunks.flatMap(linesOf));
  return cut.chunks.some((chunk) => {
    const last = linesOf(chunk).at(-1);
    return last !== undefined && last !== "" && !known.has(last);
  });
}

/** Texts whose middle lines could be left out, and the first of them in which they are. */
function leftOut(pair: FilePair, most: number): { readonly isTelling: boolean; readonly text?: string } {
  const { cut, whole } = pair;
  const texts = whole.chunks.filter((text) => isReadable(text));
  const isTelling = texts.some((text) => {
    const lines = linesOf(text);
    return isWithoutLong(
      lines.filter((line) => isShort(line, most)),
      lines,
      most,
    );
  });
  const isTextCut = endsCut(pair);
  const text = texts.find((each) =>
    cut.chunks.some((one) => {
      const [left, lines] = [linesOf(one), linesOf(each)];
      const isGone = !isTextCut && lines.every((line) => isShort(line, most) || !isBegun(line, pair));
      return isWithoutLong(left, lines, most) && isSurplus(left, pair, most) && isGone;
    }),
  );
  return { isTelling, ...defined({ text }) };
}

const noneLong =
  "no chunk match has a short line behind one that is too long; choose a `--query` that finds lines of code";

/**
 * Truncating removes the end: a long line is cut, or the text ends with it. It is not left out between others.
 * Source: search-stream, section 4.
 */
export const maxLineLenLeavesNoLineOut = defineComparison({
  id: "stream/max-line-len-leaves-no-line-out",
  ...byLineLength,
  judge(group, reportFor) {
    for (const { cut, pairs, most, reason } of cutSearches(group)) {
      const report = reportFor(cut.id);
      const seen = pairs.map((pair) => ({
        file: pair.cut,
        ...leftOut(pair, most),
      }));
      const gone = seen.find(({ text }) => text !== undefined);
      const isTelling = seen.some((one) => one.isTelling);
      report.observation(Number(isTelling));
      if (!isTelling) {
        report.notTested(reason ?? noneLong);
      }
      if (gone !== undefined) {
        const message = `search ${
          cut.id
        } with \`max-line-len=${most}\` leaves lines that are longer than that out of a chunk match of \`${formatValue(
          gone.file.path,
        )}\`, and goes on behind them`;
        report.violation({ message });
      }
    }
  },
});
