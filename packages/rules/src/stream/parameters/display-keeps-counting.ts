import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, knownOf, shownSearches } from "../compare/display-pairs.ts";
import { differenceOf } from "../compare/found-difference.ts";
import { keptDisplay } from "../compare/kept-parameters.ts";
import { foundWithin, isCommitTold, sharedRepositories, stateOf, whyUnknown } from "../compare/same-state.ts";
import { sizeOf } from "../compare/result-size.ts";
import type { SizeUnit } from "../compare/result-size.ts";
import { isDuring, stableAmong } from "../compare/stable-search.ts";
import type { StableSearch } from "../compare/stable-search.ts";
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

/** The searches without `display`, and what their counts come to. */
interface Baseline {
  readonly plain: readonly UsableSearch[];
  readonly counted: readonly CountedSearch[];
  /** Found the same, and counted the same, each time it was sent. */
  readonly steady: StableSearch | undefined;
  readonly unit: SizeUnit;
  readonly min: number;
  readonly isTold: boolean;
}

function baselineOf(plain: readonly UsableSearch[], isTold: boolean): Baseline {
  const all = counted(plain);
  const counts = new Set(plain.map(({ results }) => `${results.matchCount} ${results.repositoriesCount}`));
  return {
    plain,
    counted: all,
    steady: counts.size === 1 ? stableAmong(plain) : undefined,
    unit: unitOf(all),
    min: Math.min(...all.map(({ count }) => count)),
    isTold,
  };
}

/** A count this many times smaller is no chance, wherever a search stopped. */
const clearlyFewer = 2;

/**
 * True if the search counted fewer matches than there are: no more than it delivered, less than half of what was counted without
 * `display`, or less than that at all where nothing stopped a search and it counted the same each time.
 */
function isShort(one: CountedSearch, known: readonly UsableSearch[], baseline: Baseline): boolean {
  const { search, count } = one;
  const { min, steady, unit, isTold } = baseline;
  const isWhole = search.standing === "complete" && steady?.first.standing === "complete";
  const isFewer = count <= sizeOf(search.results)[unit] || clearlyFewer * count < min || isWhole;
  return count < min && isFewer && (!isTold || isOutdone(one, known, unit));
}

/** The counts in which a search differs from the one without `display` of which it delivered all, in the same state. */
function otherCount(search: UsableSearch, { steady, isTold }: Baseline): string | undefined {
  if (steady === undefined || !isDuring(search, steady) || search.standing !== "complete") {
    return undefined;
  }
  const { first } = steady;
  const { clause, isInconclusive } = differenceOf(search.results, first.results);
  const isSame = !isTold || stateOf(search.results, first.results) === "same";
  if (clause !== undefined || isInconclusive || !isSame || first.standing !== "complete") {
    return undefined;
  }
  const name = (["matchCount", "repositoriesCount"] as const).find((key) => {
    const [own, other] = [search.results[key], first.results[key]];
    return own !== undefined && other !== undefined && own !== other;
  });
  return name === undefined
    ? undefined
    : `search ${search.id} with \`display=${displayOf(search.search)}\` has the \`${name}\` ${search.results[name]}, and search ${first.id}, which delivered the same without it, ${first.results[name]}`;
}

function judgeCount(search: UsableSearch, baseline: Baseline, report: Reporter): void {
  const other = otherCount(search, baseline);
  if (other !== undefined) {
    report.observation();
    report.violation({ message: other });
    return;
  }
  const count = search.results.matchCount;
  if (count === undefined || !isFull(search)) {
    return;
  }
  const { plain, min, unit, isTold } = baseline;
  const searches = baseline.counted.map((one) => one.search);
  const all = Math.max(0, ...searches.map(({ results }) => sizeOf(results)[unit]));
  const delivered = sizeOf(search.results)[unit];
  const known = knownOf(search, searches, isTold);
  if (all <= delivered || known.length === 0) {
    report.notTested(all <= delivered ? notFull : whyUnknown(search, plain));
    return;
  }
  report.observation();
  if (isShort({ search, count }, known, baseline)) {
    const message = `search ${search.id} with \`display=${displayOf(search.search)}\` delivered ${delivered} matches and counted ${count}, without it ${shownSearches(plain)} counted at least ${min}`;
    report.violation({ message });
  }
}

/**
 * `display` changes nothing in what is counted: after the limit the search goes on. A search counts too few if it counts fewer than the
 * same search without the parameter found in the same state of the same repositories; and if it delivered all of what that search did,
 * it counts the same. Source: search-stream, section 4.
 */
export const displayKeepsCounting = defineComparison({
  id: "stream/display-keeps-counting",
  ...byDisplay,
  kept: [keptDisplay],
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const baseline = baselineOf(plain, isCommitTold([...limited, ...plain]));
    for (const search of limited.filter(({ standing }) => standing !== "incomplete")) {
      judgeCount(search, baseline, reportFor(search.id));
    }
  },
});
