import { literalWordInQuery } from "../../engine/literal-word.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { compareResults } from "../../engine/compare/result-difference.ts";
import { lineParameters } from "../../engine/compare/result-preserving-parameters.ts";
import { notCompared } from "../../engine/compare/same-state.ts";
import {
  hasSmallDisplay,
  requestsChunks,
  omitsChunks,
  searchKey,
  sentPatternType,
} from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { findBaseline } from "../../engine/compare/stable-search.ts";
import { mayHaveReachedCount, toUsableSearches } from "../../engine/compare/usable-search.ts";

/** Reports whether a search sets none of the line parameters. */
const omitsLineParameters = (search: Search): boolean =>
  omitsChunks(search) && !search.parameters.has("cl") && !search.parameters.has("max-line-len");

/** Returns the results with the lines of all files marked as unknown, because the parameters may change them. */
const withoutLines = (results: ResultFacts): ResultFacts => ({
  ...results,
  files: new Map([...results.files].map(([key, file]) => [key, { ...file, chunkTexts: [], mayHaveMoreLines: true }])),
});

/** Reports whether a query has filters only, among them one for the type `path`. Its results have no lines. */
function findsPathsOnly(q: string): boolean {
  const words = q.split(/\s+/u).filter((word) => word !== "");
  return words.includes("type:path") && words.every((word) => pathFilter.test(word));
}
const pathFilter = /^-?(?:type:path|(?:count|repo|file|lang|archived|fork|patterntype):\S+)$/iu;

/** Reports whether the line parameters cannot change which files a search finds. */
function findsSameFiles(search: Search): boolean {
  const q = search.parameters.get("q") ?? "";
  return findsPathsOnly(q) || literalWordInQuery(q, sentPatternType(search)) !== undefined;
}

const describeParameters = ({ parameters }: Search): string =>
  ["cm", "cl", "max-line-len"]
    .flatMap((name) => (parameters.has(name) ? [`${name}=${parameters.get(name)}`] : []))
    .join("&");

/**
 * Chunk matches, context lines and the line length change how a match is displayed, not which files are found. Compares
 * only searches for paths, and for a single literal word, which is always within one line. Source: search-stream,
 * section 4.
 */
export const lineParametersKeepFiles = defineComparison({
  id: "stream/line-parameters-keep-files",
  groupKey: (search) =>
    hasSmallDisplay(search) || !findsSameFiles(search)
      ? undefined
      : searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: hasBoth(omitsLineParameters, requestsChunks),
  resultPreservingParameters: lineParameters,
  judge(group, reportFor) {
    const repeats = group.filter(({ search }) => omitsLineParameters(search));
    for (const variedSearch of toUsableSearches(group.filter(({ search }) => requestsChunks(search)))) {
      const report = reportFor(variedSearch.id);
      const baseline = findBaseline(variedSearch, repeats);
      // It is unspecified which files a search finds first, so a search that stopped proves nothing.
      if (baseline.kind === "none" || mayHaveReachedCount(variedSearch) || mayHaveReachedCount(baseline.base.first)) {
        report.notTested(baseline.kind === "none" ? baseline.reason : notCompared.limited);
        continue;
      }
      const { first } = baseline.base;
      const { difference, isInconclusive } = compareResults(
        withoutLines(variedSearch.results),
        withoutLines(first.results),
      );
      report.observation(Number(difference !== undefined || !isInconclusive));
      if (difference !== undefined) {
        const message = `search ${variedSearch.id} with \`${describeParameters(variedSearch.search)}\` finds different files from search ${
          first.id
        } without it: it ${difference}`;
        report.violation({ message });
      }
    }
  },
});
