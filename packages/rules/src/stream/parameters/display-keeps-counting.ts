import { defineComparison } from "../compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, shownSearches } from "../compare/display-pairs.ts";
import { sizeOf } from "../compare/result-size.ts";
import type { SizeUnit } from "../compare/result-size.ts";
import type { UsableSearch } from "../compare/usable.ts";

interface CountedSearch {
  readonly search: UsableSearch;
  readonly count: number;
}

const counted = (searches: readonly UsableSearch[]): readonly CountedSearch[] =>
  searches.flatMap((search) => {
    const count = search.results.matchCount;
    return count === undefined ? [] : [{ search, count }];
  });

/** The smallest unit that `matchCount` may count in: where all was delivered it is no less than that. */
const unitOf = (plain: readonly CountedSearch[]): SizeUnit =>
  (["highlights", "lines"] as const).find((unit) =>
    plain.every(({ search, count }) => count >= sizeOf(search.results)[unit]),
  ) ?? "files";

/** Whether `display` was what ended the delivery, in whatever unit it is meant: there is nothing more of than highlights. */
const isFull = ({ search, results }: UsableSearch): boolean => results.highlights >= displayOf(search);

/**
 * What `display` holds back is found and counted all the same. A search that counted no more than it delivered, and less
 * than the same search counts without the parameter each time, has stopped. Source: search-stream, section 4.
 */
export const displayKeepsCounting = defineComparison({
  id: "stream/display-keeps-counting",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const yardstick = counted(plain);
    const unit = unitOf(yardstick);
    const all = Math.max(0, ...yardstick.map(({ search }) => sizeOf(search.results)[unit]));
    const least = Math.min(...yardstick.map(({ count }) => count));
    for (const { search, count } of counted(limited.filter((one) => isFull(one) && one.standing !== "hampered"))) {
      const delivered = sizeOf(search.results)[unit];
      if (all <= delivered) {
        continue;
      }
      const report = reportFor(search.id);
      report.observe();
      if (count <= delivered && count < least) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` counted ${count} matches and delivered as many, without it ${shownSearches(plain)} counted ${least} at least`;
        report.violation({ message });
      }
    }
  },
});
