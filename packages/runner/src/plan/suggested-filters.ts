import { elementsOf, member } from "@assay/reading";
import type { RecordedExchange } from "@assay/evidence";
import { readEvents } from "./read-events.ts";

/** A suggested filter that has a count of at least one and can be added to a query. */
interface SuggestedFilter {
  readonly kind: string;
  readonly value: string;
  readonly count: number;
  readonly isExhaustive: boolean;
}

/** Matches filter values that have no line breaks and are short enough for a query. */
const plainFragment = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Z}]| ){0,300}$/u;

/** Matches excluding filters. Their count may be the number of matches removed or the number left, so they may leave none. */
const excludingFilter = /^(?:-|not\s)/iu;

function readSuggestedFilter(filter: unknown): SuggestedFilter | undefined {
  const [kind, value, count] = [member(filter, "kind"), member(filter, "value"), member(filter, "count")];
  const isAddable = typeof value === "string" && plainFragment.test(value) && !excludingFilter.test(value);
  return isAddable && typeof kind === "string" && typeof count === "number" && count > 0
    ? { kind, value, count, isExhaustive: member(filter, "exhaustive") === true }
    : undefined;
}

/** Returns the usable filters from the last suggestions in a response. */
function readUsableFilters(exchange: RecordedExchange): readonly SuggestedFilter[] {
  let filters: readonly unknown[] = [];
  readEvents(exchange, ({ name, value }) => {
    filters = name === "filters" ? elementsOf(value) : filters;
  });
  return filters.flatMap((filter) => readSuggestedFilter(filter) ?? []);
}

/** Kinds of filters that include or exclude whole files. */
const wholeFileKinds = ["repo", "lang"] as const;

/** Returns the filters suggested for a search of one file, as text to append to its query. Returns undefined if there are none. */
export function readSuggestedFragment(exchange: RecordedExchange): string | undefined {
  const filters = readUsableFilters(exchange);
  const values = wholeFileKinds.flatMap((kind) => filters.find((filter) => filter.kind === kind)?.value ?? []);
  return values.length === 0 ? undefined : values.join(" ");
}

/** Creates a test for filters of a kind, except those for a branch: a file may be on several branches. */
const isOfKind =
  (kind: string) =>
  (filter: SuggestedFilter): boolean =>
    filter.kind === kind && !filter.value.includes("@");

/** Reports whether a response suggests several filters with disjoint files and exhaustive counts. */
export function hasExhaustiveChoice(exchange: RecordedExchange): boolean {
  const exhaustiveFilters = readUsableFilters(exchange).filter(({ isExhaustive }) => isExhaustive);
  return wholeFileKinds.some((kind) => exhaustiveFilters.filter(isOfKind(kind)).length > 1);
}

const parseName = (value: string): string | undefined => /^\w+(?=:)/u.exec(value)?.[0].toLowerCase();

/** Reports whether a query already contains a filter of the same name. Most filters may occur only once. */
const isInQuery = (value: string, query: string): boolean =>
  query.split(/\s+/u).some((word) => parseName(word) !== undefined && parseName(word) === parseName(value));

/** Selects the filters with the lowest and the highest count. Prefers exhaustive counts. */
function selectEnds(filters: readonly SuggestedFilter[]): readonly SuggestedFilter[] {
  const sorted = filters.toSorted((a, b) => Number(b.isExhaustive) - Number(a.isExhaustive) || a.count - b.count);
  return [...sorted.slice(0, 1), ...sorted.slice(1).slice(-1)];
}

/** Filters with a higher count are not tried, because they cost as much as the search that suggests them. */
const maxFilterCount = 300;

/** Maximum number of filters tried, of all kinds together. */
export const maxFiltersTried = 8;

/** Returns the suggested filters that may be tried with a query. */
const readFiltersFor = (exchange: RecordedExchange, query: string): readonly SuggestedFilter[] =>
  readUsableFilters(exchange).filter(({ value, count }) => count <= maxFilterCount && !isInQuery(value, query));

/** Returns suggested filters to try with a query, as texts to append to it: some of each kind. */
export function selectFilters(exchange: RecordedExchange, query: string): readonly string[] {
  const filters = readFiltersFor(exchange, query);
  const kinds = new Set([...wholeFileKinds, ...filters.map(({ kind }) => kind)]);
  const values = [...kinds].flatMap((kind) => selectEnds(filters.filter((filter) => filter.kind === kind)));
  return [...new Set(values.map(({ value }) => value))].slice(0, maxFiltersTried);
}

/** Returns the filter for a language with the most matches, as text to append to the query. Returns undefined if none is suggested. */
export const selectLanguage = (exchange: RecordedExchange, query: string): string | undefined =>
  readFiltersFor(exchange, query)
    .filter(({ kind }) => kind === "lang")
    .toSorted((left, right) => right.count - left.count)[0]?.value;
