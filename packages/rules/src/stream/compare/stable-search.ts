import type { ComparedSearch } from "./compared-search.ts";
import { differenceOf } from "./found-difference.ts";
import { incompleteIn, inStateOf, isCommitTold, notCompared, otherStateIn, stateOf, whyUnknown } from "./same-state.ts";
import { timesSent } from "./search.ts";
import { usable, usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A search that found the same each time it was sent. */
export interface StableSearch {
  /** The first of its copies; what it found, all of them found. */
  readonly first: UsableSearch;
  /** When the first and the last copy were sent. */
  readonly fromMicros: number;
  readonly toMicros: number;
}

function isSame({ results }: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = differenceOf(results, other.results);
  return clause === undefined && !isInconclusive;
}

/**
 * The search that these are copies of, if it is stable: sent at least twice, every copy usable and none incomplete, and all
 * of them found the same without anything left to guess. Another search is worth comparing with such a one only.
 */
export function stableSearch(copies: readonly ComparedSearch[]): StableSearch | undefined {
  const found = usableOf(copies);
  return found.length === copies.length ? stableAmong(found) : undefined;
}

/** The same of copies that are all usable. */
export function stableAmong(found: readonly UsableSearch[]): StableSearch | undefined {
  const [first] = found;
  const isWhole = found.every(({ standing }) => standing !== "incomplete");
  if (first === undefined || found.length < 2 || !isWhole || !found.every((copy) => isSame(first, copy))) {
    return undefined;
  }
  const times = found.map(({ sentAtMicros }) => sentAtMicros);
  return { first, fromMicros: Math.min(...times), toMicros: Math.max(...times) };
}

/** A search that another one can be held against, or why there is none. */
export type Yardstick =
  | { readonly kind: "steady"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly why: string };

const none = (why: string): Yardstick => ({ kind: "none", why });

/** Searches of which none is incomplete: what another one found while it was says nothing against them. */
export const conclusive = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ standing }) => standing !== "incomplete");

/**
 * The search that these are copies of, for comparing `varied` with it: both came to their end, and both are known to have met
 * the same state of the index. No sentence promises that two searches see the same, so where commits are told, only the copies count
 * that tell those of `varied`, two of them at least: however many others met other states, were incomplete or broke off, before or
 * after. Where neither these searches nor `witnesses` tell any commit, all copies have to have found the same before and after.
 */
export function yardstickFor(
  varied: UsableSearch,
  copies: readonly ComparedSearch[],
  witnesses: readonly UsableSearch[] = [],
): Yardstick {
  const found = usableOf(copies);
  if (varied.standing === "incomplete") {
    return none(incompleteIn(timesSent(copies)));
  }
  const known = stableAmong(inStateOf(varied, conclusive(found)));
  if (known !== undefined) {
    return known.first.standing === "complete" && varied.standing === "complete"
      ? { kind: "steady", base: known }
      : none(notCompared.limited);
  }
  return found.some(({ standing }) => standing === "incomplete")
    ? none(incompleteIn(timesSent(copies)))
    : yardstickByTime({ varied, copies, witnesses });
}

/** The same where no two copies tell the commits of `varied`: the time has to tell that nothing changed. */
function yardstickByTime({
  varied,
  copies,
  witnesses,
}: {
  readonly varied: UsableSearch;
  readonly copies: readonly ComparedSearch[];
  readonly witnesses: readonly UsableSearch[];
}): Yardstick {
  const rest = copies.filter((copy) => {
    const search = usable(copy);
    return search === undefined || stateOf(search.results, varied.results) !== "other";
  });
  const base = stableSearch(rest);
  if (base === undefined) {
    return none(otherStateIn(timesSent(copies)));
  }
  if (base.first.standing !== "complete" || varied.standing !== "complete") {
    return none(notCompared.limited);
  }
  const isTold = isCommitTold([varied, ...usableOf(copies), ...witnesses]);
  return !isTold && isDuring(varied, base) ? { kind: "steady", base } : none(whyUnknown(varied, usableOf(copies)));
}

/** Whether a search was sent while nothing changed: not before the first copy and not after the last one. */
export const isDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
