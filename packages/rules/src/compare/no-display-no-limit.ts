import { defineComparison } from "./define-comparison.ts";
import { byDisplay, displayGroup, displayOf, shownSearches } from "./display-pairs.ts";
import { hasAllLines, sizeOf } from "./result-size.ts";

/**
 * Without `display` everything is delivered. Searches differ from one time to the next, so only less than half of what the
 * same search delivers with it, each time, is a departure. Source: search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    for (const search of limited) {
      const unit = [search, ...plain].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
      const delivered = sizeOf(search.results)[unit];
      if (plain.length === 0 || delivered < 2) {
        continue;
      }
      const most = Math.max(...plain.map(({ results }) => sizeOf(results)[unit]));
      const report = reportFor(search.id);
      report.observe();
      if (2 * most < delivered) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` delivered ${delivered} matching ${unit}, without it ${shownSearches(plain)} delivered no more than ${most}`;
        report.violation({ message });
      }
    }
  },
});
