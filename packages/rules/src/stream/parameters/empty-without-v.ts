import type { Reporter } from "../../engine/reporter.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import { isBetween } from "../../engine/compare/same-state.ts";
import { searchKey, typeOf, versionOf } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Reports whether the search uses the default pattern type. Other parameters may have any value. */
const usesDefaultType = (search: Search): boolean => ["standard", undefined].includes(typeOf(search));

/**
 * Minimum number of different searches that must find nothing, because each copy of a search may see a different state.
 */
const minEmpty = 5;

const foundNothing = ({ results, standing, isFinished }: UsableSearch): boolean =>
  isFinished && standing === "complete" && results.matchCount === 0 && countResults(results).files === 0;

/**
 * Judges searches without `v` that find nothing. A single one does not show its state, but their number does: many
 * different searches for one query without `v` all find nothing, while all of those with `v=V3`, sent among them, find
 * something.
 */
export function judgeEmptyWithoutV(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  const searches = usableCopies(group.filter(({ search }) => usesDefaultType(search)));
  const omitted = searches.filter(({ search }) => versionOf(search) === undefined);
  const explicit = searches.filter(({ search }) => versionOf(search) === "V3");
  const different = new Set(omitted.map(({ search }) => searchKey(search))).size;
  const [first] = omitted;
  const [last] = omitted.toReversed();
  const isAmong = explicit.filter((search) => isBetween(search, omitted)).length > 0;
  const isAround = omitted.some((search) => isBetween(search, explicit));
  const isFound = new Set(explicit.map(({ search }) => searchKey(search))).size > 1 && !explicit.some(foundNothing);
  if (first === undefined || last === undefined || different < minEmpty || !omitted.every(foundNothing)) {
    return;
  }
  if (isFound && isAmong && isAround && explicit.every(({ results }) => countResults(results).files > 0)) {
    const report = reportFor(first.id);
    report.observation();
    const message = `searches ${first.id} to ${last.id}, ${different} different ones without \`v\`, all find nothing, although each of the same with \`v=V3\`, such as search ${explicit[0]?.id}, finds something`;
    report.violation({ message, code: "finds-less" });
  }
}
