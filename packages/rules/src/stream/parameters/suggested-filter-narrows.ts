import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import { maxCompared } from "../compare/define-comparison.ts";
import type { ComparedSearch } from "../compare/compared-search.ts";
import { isKnownState } from "../compare/same-state.ts";
import { bindsDisplay, searchOf } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";
import { addedTo } from "./suggested-filter-finds-matches.ts";

/** A search, and the same with something added to its query. */
interface Pair<Item> {
  readonly base: Item;
  readonly narrowed: Item;
  readonly added: string;
}

/** Of the searches so many are paired, the first ones: more than a run sends. */
const maxPaired = 4 * maxCompared;

const pairsAmong = <Item extends { readonly search: Search }>(items: readonly Item[]): readonly Pair<Item>[] => {
  const first = items.slice(0, maxPaired);
  return first.flatMap((base) =>
    first.flatMap((narrowed) => {
      const added = addedTo(base.search, narrowed.search);
      return added === undefined ? [] : [{ base, narrowed, added }];
    }),
  );
};

const noPair =
  "no search delivered everything and suggested filters for several languages or repositories, and told commits; choose a `--query` that finds fewer than 1,000 matches in files of several languages";

/** A file has one language and is in one repository: what keeps the files of one leaves out those of another. */
const fieldOf = (value: string): string | undefined => /^(?:lang|repo)(?=:[^@]+$)/u.exec(value)?.[0];

/** Filters that only ever leave files out: others, such as `archived:yes` and `count:`, make a search find more. */
const keepsFiles = /^(?:repo|r|lang|language|l|file|f|path):/iu;

/** Whether some of the files that the search delivered are not among those that the filter keeps, by what the search says itself. */
function leavesOut(base: UsableSearch, added: string): boolean {
  const { files, suggested } = base.results;
  const filter = suggested.get(added);
  if (filter?.isExhaustive !== true || !keepsFiles.test(added)) {
    return false;
  }
  const field = fieldOf(added);
  const hasOther = [...suggested].some(
    ([value, { count }]) => value !== added && count > 0 && field !== undefined && fieldOf(value) === field,
  );
  const isWhole = base.standing === "complete" && base.isFinished && !bindsDisplay(base.search);
  // Whatever is counted, it is no fewer than the files that it came in.
  return filter.count < files.size || (hasOther && isWhole);
}

function judge({ base, narrowed, added }: Pair<UsableSearch>, report: Reporter): void {
  const { files, suggested } = base.results;
  if (files.size === 0 || !leavesOut(base, added)) {
    return;
  }
  const others = narrowed.results.files;
  const kept = [...files].filter(([key, file]) => {
    const same = others.get(key);
    return same !== undefined && isKnownState(file, same);
  });
  const isTold = [...files.values()].every(({ commit, isMixed }) => commit !== undefined && !isMixed);
  report.observation(Number(isTold));
  if (kept.length === files.size) {
    const message = `search ${narrowed.id} has \`${formatValue(added)}\` added to its query, which search ${base.id} suggests to keep ${suggested.get(added)?.count ?? 0} of its matches, and finds all ${files.size} files again`;
    report.violation({ message });
  }
}

/**
 * A filter that keeps some of the matches, as it and others beside it say, does not find every file again when it is added to the query:
 * it is suggested to narrow the search. Judged by files of the same commits, so that it does not matter when the searches were sent.
 * Source: search-stream, sections 2.1 and 6.
 */
export const suggestedFilterNarrows = defineExchangeRule({
  id: "stream/suggested-filter-narrows",
  compares(records) {
    const searches = records.flatMap((record) => {
      const search = searchOf(record);
      return search === undefined ? [] : [{ search, id: record.id }];
    });
    return new Set(pairsAmong(searches).flatMap(({ base, narrowed }) => [base.id, narrowed.id]));
  },
  check(exchanges, reportFor) {
    const compared = exchanges.flatMap((exchange): readonly ComparedSearch[] => {
      const search = searchOf(exchange.record);
      return search === undefined || exchange.results === undefined ? [] : [{ search, exchange }];
    });
    reportFor("").notTested(noPair);
    for (const pair of pairsAmong(usableOf(compared))) {
      judge(pair, reportFor(pair.narrowed.id));
    }
  },
});
