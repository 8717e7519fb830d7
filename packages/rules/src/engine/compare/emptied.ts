import { listNames, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { Reporter } from "../reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { isQuiet } from "./same-commits.ts";
import { sizeOf } from "./result-size.ts";
import { searchKey } from "./search.ts";
import type { Search } from "./search.ts";
import { usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A parameter or filter that must not empty the results of a search. */
export interface KeptParameter {
  /** Its value in messages, such as `cm=true`; undefined for a search without it. */
  readonly valueOf: (search: Search) => string | undefined;
  /** Key of searches that differ in nothing else; undefined for those that are not compared. */
  readonly keyOf: (search: Search) => string | undefined;
}

/** Matches that are counted but not returned are another violation, and with `display` none. */
const isEmpty = ({ results, standing, isFinished }: UsableSearch): boolean =>
  isFinished && standing === "complete" && sizeOf(results).files === 0 && (results.matchCount ?? 0) === 0;

const isFound = ({ results }: UsableSearch): boolean => results.files.size > 0;

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) {
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, [item]);
      } else {
        group.push(item);
      }
    }
  }
  return groups;
}

/** Reports whether some search has the parameter and another one only differs by its absence. */
export const hasBase = ({ keyOf, valueOf }: KeptParameter, searches: readonly Search[]): boolean =>
  [...grouped(searches, keyOf).values()].some(
    (same) => same.some((one) => valueOf(one) !== undefined) && same.some((one) => valueOf(one) === undefined),
  );

/**
 * Minimum number of searches that must find nothing: a single one may have reached a replica without the repository.
 */
const minEmpty = 2;

/** This number of different searches without results is no coincidence, even if few others name a commit. */
const manyEmpty = 5;

interface Emptied {
  readonly searches: readonly UsableSearch[];
  readonly base: UsableSearch;
}

/**
 * The searches with a value of the parameter, if each of them finds nothing although each search without it finds
 * something. Searches whose base finds nothing are left out.
 */
function emptiedBy(
  { keyOf, valueOf }: KeptParameter,
  usable: readonly UsableSearch[],
  isMeant: (value: string) => boolean,
): Emptied | undefined {
  const hasIt = ({ search }: UsableSearch): boolean => {
    const value = valueOf(search);
    return value !== undefined && isMeant(value);
  };
  const settled = [...grouped(usable, ({ search }) => keyOf(search)).values()].flatMap((same) => {
    const [searches, bases] = [same.filter(hasIt), same.filter((one) => !hasIt(one))];
    const [base] = bases;
    return base !== undefined && bases.every(isFound) && searches.length > 0 ? [{ searches, base }] : [];
  });
  const [first] = settled;
  const searches = settled.flatMap((one) => one.searches);
  return first !== undefined && searches.length >= minEmpty && searches.every(isEmpty)
    ? { searches, base: first.base }
    : undefined;
}

/** Reports whether equal searches always find something or never: none of them reached an empty replica. */
const isSteady = (usable: readonly UsableSearch[]): boolean =>
  [...grouped(usable, ({ search }) => searchKey(search)).values()].every(
    (copies) => !(copies.some(isEmpty) && copies.some(isFound)),
  );

const shownIds = (searches: readonly UsableSearch[]): string =>
  listNames(
    searches.map(({ id }) => id),
    3,
  );

/**
 * Reports a parameter with which every search finds nothing, although the same searches without it find something. A
 * search without results names no commit, so this is judged only if all others name the same one, and equal searches
 * agree.
 */
export function judgeEmptied(
  { id, parameter }: { readonly id: RuleId; readonly parameter: KeptParameter },
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const usable = usableOf(group);
  const values = new Set(usable.flatMap(({ search }) => parameter.valueOf(search) ?? []));
  const meant = [(): boolean => true, ...[...values].map((value) => (other: string) => other === value)];
  const found = meant.flatMap((isMeant) => emptiedBy(parameter, usable, isMeant) ?? []);
  const emptied = found.find(({ base, searches }) => {
    const isMany = new Set(searches.map(({ search }) => searchKey(search))).size >= manyEmpty;
    return isQuiet(base.results, usable, isMany ? 1 : undefined);
  });
  const [first] = emptied?.searches ?? [];
  if (emptied === undefined || first === undefined || !isSteady(usable)) {
    return;
  }
  const { base, searches } = emptied;
  const shown = [...new Set(searches.map(({ search }) => parameter.valueOf(search) ?? ""))].slice(0, 3);
  const report = reportFor(first.id);
  report.observation();
  report.violation({
    message: `searches ${shownIds(searches)} with ${shown
      .map((value) => `\`${value}\``)
      .join(", ")} find nothing, search ${base.id} without it finds matches in ${
      sizeOf(base.results).files
    } files of the same commit`,
    // Rules with several codes use this one for a search that finds less.
    ...(ruleRecord(id).codes.includes("finds-less") ? { code: "finds-less" } : {}),
  });
}
