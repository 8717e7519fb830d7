import { countedSearch, haveNarrow, limitOf } from "./count-limit.ts";
import { defineComparison } from "./define-comparison.ts";
import { lackOf, shownLack } from "./found-difference.ts";
import { bindsDisplay } from "./search.ts";
import { usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** Whether the search came as far as its number lets it, in whatever unit that is meant: there is nothing more of than highlights. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

/** What the wide search has besides all that the narrow one has; `undefined` unless that is the only difference. */
function cutOff(narrow: UsableSearch, wide: UsableSearch): string | undefined {
  const lack = lackOf(narrow.results, wide.results);
  const isWithin = lackOf(wide.results, narrow.results).count === 0;
  return isWithin && lack.count > 0 ? shownLack(lack) : undefined;
}

/** A search that stops at its number and leaves results out tells of it. Source: search-stream, sections 7 and 8. */
export const cutResultsAreNamed = defineComparison({
  id: "stream/cut-results-are-named",
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search)?.key),
  hasPair: haveNarrow,
  judge(group, reportFor) {
    const searches = usableOf(group);
    for (const narrow of searches.filter(isFull)) {
      const wider = searches.filter(({ search }) => limitOf(search) > limitOf(narrow.search));
      const wide = wider.find((search) => cutOff(narrow, search) !== undefined);
      // A problem that was told of explains what is missing as well.
      const isExplained = narrow.standing === "hampered" && !narrow.results.hasSkipped;
      if (wide === undefined || isExplained) {
        continue;
      }
      const report = reportFor(narrow.id);
      report.observe();
      if (!narrow.results.hasSkipped) {
        const message = `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` has no skipped entry although it left out what search ${wide.id} finds: ${cutOff(narrow, wide)}`;
        report.violation({ message });
      }
    }
  },
});
