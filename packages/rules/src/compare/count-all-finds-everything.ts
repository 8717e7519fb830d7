import type { Reporter } from "../engine/reporter.ts";
import { asksForAll, countedSearch } from "./count-limit.ts";
import { defineComparison, hasBoth } from "./define-comparison.ts";
import { lackOf, shownLack } from "./found-difference.ts";
import { bindsDisplay } from "./search.ts";
import { isDuring, stableSearch } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import { usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

function judgeOther(all: StableSearch, other: UsableSearch, report: Reporter): void {
  const lack = lackOf(all.first.results, other.results);
  report.observe(Number(lack.lookedFor > 0));
  if (lack.count > 0) {
    const message = `search ${all.first.id} with \`count:all\` lacks what search ${other.id} finds: ${shownLack(lack)}`;
    report.violation({ message });
  }
}

/** `count:all` leaves nothing out that another number finds. Source: search-stream, sections 1 and 4. */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search)?.key),
  hasPair: hasBoth(asksForAll, (search) => !asksForAll(search)),
  judge(group, reportFor) {
    const all = stableSearch(group.filter(({ search }) => asksForAll(search)));
    if (all === undefined) {
      return;
    }
    const others = usableOf(group.filter(({ search }) => !asksForAll(search)));
    for (const other of others.filter((search) => isDuring(search, all))) {
      judgeOther(all, other, reportFor(all.first.id));
    }
  },
});
