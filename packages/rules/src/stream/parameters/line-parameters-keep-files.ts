import { wordOfQuery } from "../../engine/literal-word.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { differenceOf } from "../../engine/compare/found-difference.ts";
import { keptLineParameters } from "../../engine/compare/kept-parameters.ts";
import { notCompared } from "../../engine/compare/same-state.ts";
import { bindsDisplay, isWithChunks, isWithoutChunks, searchKey, typeOf } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { baselineFor } from "../../engine/compare/stable-search.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Reports whether a search has no chunk matches. */
const isPlain = (search: Search): boolean =>
  isWithoutChunks(search) && !search.parameters.has("cl") && !search.parameters.has("max-line-len");

/** Results without their lines, which another parameter changes. */
const filesOf = (results: ResultFacts): ResultFacts => ({
  ...results,
  files: new Map([...results.files].map(([key, file]) => [key, { ...file, isOpen: true }])),
});

/** Reports whether a search may have stopped at its number, in any unit: the files found until then are unspecified. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

const shownParameters = ({ parameters }: Search): string =>
  ["cm", "cl", "max-line-len"]
    .flatMap((name) => (parameters.has(name) ? [`${name}=${parameters.get(name)}`] : []))
    .join("&");

/**
 * Chunk matches, context lines and the line length change the display of a match, not the found files. Only for
 * searches for one plain word, which is within one line. Source: search-stream, section 4.
 */
export const lineParametersKeepFiles = defineComparison({
  id: "stream/line-parameters-keep-files",
  groupOf: (search) =>
    bindsDisplay(search) || wordOfQuery(search.parameters.get("q") ?? "", typeOf(search)) === undefined
      ? undefined
      : searchKey(search, {
          cm: undefined,
          cl: undefined,
          "max-line-len": undefined,
        }),
  hasPair: hasBoth(isPlain, isWithChunks),
  kept: keptLineParameters,
  judge(group, reportFor) {
    const copies = group.filter(({ search }) => isPlain(search));
    for (const varied of usableOf(group.filter(({ search }) => isWithChunks(search)))) {
      const report = reportFor(varied.id);
      const baseline = baselineFor(varied, copies);
      if (baseline.kind === "none" || isFull(varied) || isFull(baseline.base.first)) {
        report.notTested(baseline.kind === "none" ? baseline.why : notCompared.limited);
        continue;
      }
      const { first } = baseline.base;
      const { clause, isInconclusive } = differenceOf(filesOf(varied.results), filesOf(first.results));
      report.observation(Number(clause !== undefined || !isInconclusive));
      if (clause !== undefined) {
        const message = `search ${varied.id} with \`${shownParameters(varied.search)}\` finds other files than search ${
          first.id
        } without it: it ${clause}`;
        report.violation({ message });
      }
    }
  },
});
