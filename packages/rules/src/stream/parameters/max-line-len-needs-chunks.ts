import { mayBeSameState } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { parameterWithoutChunks } from "../../engine/compare/result-preserving-parameters.ts";
import { limitsLineLength, omitsChunks, searchKey } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { isLongerThan } from "../../engine/compare/text-lines.ts";
import { positiveParameter } from "../../engine/search-query.ts";
import { findSharedFiles, toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Returns the value of `max-line-len`, or 0 if it is not an integer of at least 1. */
const maxLineLengthOf = ({ parameters }: Search): number => positiveParameter(parameters, "max-line-len");

/** A line from the line matches of the search with `max-line-len` and of the search without it. */
interface LinePair {
  readonly file: FoundFile;
  readonly number: number;
  readonly cutText: string;
  readonly wholeText: string;
}

const pairLines = (cut: FoundFile, whole: FoundFile): readonly LinePair[] =>
  [...cut.lines].flatMap(([number, line]) => {
    const wholeText = whole.lines.get(number);
    return line === undefined || wholeText === undefined ? [] : [{ file: cut, number, cutText: line, wholeText }];
  });

/** Returns the lines that exceed `max-line-len`, from files that both searches found in the same state. */
const findLongLines = (cut: UsableSearch, whole: UsableSearch): readonly LinePair[] =>
  findSharedFiles(cut.results, whole.results)
    .filter(([left, right]) => mayBeSameState(left, right))
    .flatMap(([left, right]) => pairLines(left, right))
    .filter((pair) => isLongerThan(pair.wholeText, maxLineLengthOf(cut.search)));

const isShortened = ({ cutText, wholeText }: LinePair, max: number): boolean =>
  wholeText.startsWith(cutText) && !isLongerThan(cutText, max);

/**
 * `max-line-len` cuts only the text of chunk matches. A line match contains the complete line. A shorter text is a
 * violation only if the complete line starts with it. Source: search-stream, section 4.
 */
export const maxLineLenNeedsChunks = defineComparison({
  id: "stream/max-line-len-needs-chunks",
  groupKey: (search) =>
    omitsChunks(search) ? searchKey(search, { cm: undefined, "max-line-len": undefined }) : undefined,
  hasPair: hasBoth(
    (search) => maxLineLengthOf(search) > 0,
    (search) => !limitsLineLength(search),
  ),
  resultPreservingParameters: [parameterWithoutChunks("max-line-len")],
  judge(group, reportFor) {
    const wholeSearches = toUsableSearches(group.filter(({ search }) => !limitsLineLength(search)));
    for (const cutSearch of toUsableSearches(group.filter(({ search }) => maxLineLengthOf(search) > 0))) {
      const report = reportFor(cutSearch.id);
      const pairs = wholeSearches.flatMap((search) => findLongLines(cutSearch, search));
      const shortenedLine = pairs.find((pair) => isShortened(pair, maxLineLengthOf(cutSearch.search)));
      report.observation(Number(pairs.length > 0));
      if (pairs.length === 0) {
        report.notTested("no line is longer than the parameter; choose a `--query` that finds lines of code");
      }
      if (shortenedLine !== undefined) {
        const { file, number } = shortenedLine;
        const message = `search ${cutSearch.id} with \`max-line-len=${maxLineLengthOf(
          cutSearch.search,
        )}\` has only the beginning of line ${number} of \`${formatValue(
          file.path,
        )}\` in a line match: \`${formatValue(shortenedLine.cutText)}\``;
        report.violation({ message });
      }
    }
  },
});
