import { matchedLines } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { compareResults } from "../../engine/compare/result-difference.ts";
import { findBaselineOrReport, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import type { EqualResultsPair } from "../../engine/compare/judge-same-results.ts";
import { parameterWithoutChunks } from "../../engine/compare/result-preserving-parameters.ts";
import { omitsChunks, searchKey } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import { findSharedFiles, toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

const omitsContextParameters = ({ parameters }: Search): boolean => !parameters.has("cl") && !parameters.has("cm");

const hasContextLines = ({ parameters }: Search): boolean => /^\d{1,9}$/u.test(parameters.get("cl") ?? "");

/** Reports whether the results contain lines to which context lines could have been added. */
const hasLines = ({ first }: StableSearch): boolean =>
  [...first.results.files.values()].some(({ mayHaveMoreLines, lines }) => !mayHaveMoreLines && lines.size > 0);

/** Returns the code for a difference that consists only of lines without highlights, which are context lines. */
function codeOfUnmarkedLines({
  base,
  variedSearch,
}: {
  readonly base: StableSearch;
  readonly variedSearch: UsableSearch;
}): string | undefined {
  const files = [...variedSearch.results.files].map(([key, file]) => [key, withoutUnmarked(file)] as const);
  const markedResults = { ...variedSearch.results, files: new Map(files) };
  return compareResults(markedResults, base.first.results).difference === undefined ? "unmarked-lines" : undefined;
}

const withoutUnmarked = (file: FoundFile): FoundFile => ({
  ...file,
  lines: new Map(matchedLines(file)),
});

function judgeContext(pair: EqualResultsPair, report: Reporter): void {
  const base = findBaselineOrReport(pair, report);
  if (base === undefined) {
    return;
  }
  if (!hasLines(base)) {
    report.notTested("no line was found that could have context lines; choose a `--query` that finds content");
    return;
  }
  const { variedSearch, variation } = pair;
  const pairWithChunks = findSharedFiles(base.first.results, variedSearch.results).find(
    ([baseFile, file]) => baseFile.chunkTexts.length === 0 && file.chunkTexts.length > 0,
  );
  if (pairWithChunks === undefined) {
    judgeSameResults({ ...pair, differenceCode: codeOfUnmarkedLines }, report);
    return;
  }
  report.observation();
  report.violation({
    code: "chunk-matches",
    message: `search ${variedSearch.id} ${variation} has chunk matches in \`${formatValue(
      pairWithChunks[0].path,
    )}\`, search ${base.first.id} without it has none`,
  });
}

/**
 * Context lines belong to chunk matches. Without chunk matches the parameter has no effect. Source: search-stream,
 * section 4.
 */
export const clNeedsCm = defineComparison({
  id: "stream/cl-needs-cm",
  groupKey: (search) => (omitsChunks(search) ? searchKey(search, { cl: undefined, cm: undefined }) : undefined),
  hasPair: hasBoth(hasContextLines, omitsContextParameters),
  resultPreservingParameters: [parameterWithoutChunks("cl")],
  judge(group, reportFor) {
    const repeats = group.filter(({ search }) => omitsContextParameters(search));
    for (const variedSearch of toUsableSearches(group.filter(({ search }) => hasContextLines(search)))) {
      const variation = `with \`cl=${variedSearch.search.parameters.get("cl")}\``;
      judgeContext({ repeats, variedSearch, variation }, reportFor(variedSearch.id));
    }
  },
});
