import { defineComparison } from "../compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, knownOf, shownSearches } from "../compare/display-pairs.ts";
import { foundWithin, isCommitTold, sharedRepositories, whyUnknown } from "../compare/same-state.ts";
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

const notFull =
  "no search with `display` delivered as many matches as it asks for while there are more; choose a `--query` that finds many lines";

/** Whether some search found more, in repositories that both know at the same commit, than this one counted. */
const isOutdone = ({ search, count }: CountedSearch, known: readonly UsableSearch[], unit: SizeUnit): boolean =>
  known.some(({ results }) => {
    const size = sizeOf(foundWithin(results, sharedRepositories(results, search.results)));
    return size[unit === "files" ? "files" : "lines"] > count;
  });

/**
 * What `display` holds back is found and counted all the same. A search that counted no more than it delivered, and less
 * than the same search counts without the parameter each time, has stopped, if that search found more in the same state of
 * the same repositories. Source: search-stream, section 4.
 */
export const displayKeepsCounting = defineComparison({
  id: "stream/display-keeps-counting",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const isTold = isCommitTold([...limited, ...plain]);
    const baseline = counted(plain);
    const unit = unitOf(baseline);
    const all = Math.max(0, ...baseline.map(({ search }) => sizeOf(search.results)[unit]));
    const least = Math.min(...baseline.map(({ count }) => count));
    for (const { search, count } of counted(limited.filter((one) => isFull(one) && one.standing !== "incomplete"))) {
      const delivered = sizeOf(search.results)[unit];
      const known = knownOf(
        search,
        baseline.map((one) => one.search),
        isTold,
      );
      const report = reportFor(search.id);
      if (all <= delivered || known.length === 0) {
        report.unobserved(all <= delivered ? notFull : whyUnknown(search, plain));
        continue;
      }
      report.opportunity();
      if (count <= delivered && count < least && (!isTold || isOutdone({ search, count }, known, unit))) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` counted ${count} matches and delivered as many, without it ${shownSearches(plain)} counted ${least} at least`;
        report.violation({ message });
      }
    }
  },
});
