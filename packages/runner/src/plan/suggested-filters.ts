import { elementsOf, member } from "@assay/reading";
import type { RecordedExchange } from "@assay/evidence";
import { readEvents } from "./answer-events.ts";

/** A filter that an answer suggests, with a value that can be added to a query and a match at least that it counts. */
interface SuggestedFilter {
  readonly kind: string;
  readonly value: string;
  readonly count: number;
  readonly isExhaustive: boolean;
}

/** Nothing that may end a line of a query or be too long for one. */
const plainFragment = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Z}]| ){0,300}$/u;

/** What takes something away says how many it takes, or how many it leaves: nobody knows whether there is anything left. */
const takesAway = /^(?:-|not\s)/iu;

function suggestedFilter(filter: unknown): SuggestedFilter | undefined {
  const [kind, value, count] = [member(filter, "kind"), member(filter, "value"), member(filter, "count")];
  const isAddable = typeof value === "string" && plainFragment.test(value) && !takesAway.test(value);
  return isAddable && typeof kind === "string" && typeof count === "number" && count > 0
    ? { kind, value, count, isExhaustive: member(filter, "exhaustive") === true }
    : undefined;
}

/** The filters that an answer suggested last and that can be tried. */
function filtersOf(exchange: RecordedExchange): readonly SuggestedFilter[] {
  let filters: readonly unknown[] = [];
  readEvents(exchange, ({ name, value }) => {
    filters = name === "filters" ? elementsOf(value) : filters;
  });
  return filters.flatMap((filter) => suggestedFilter(filter) ?? []);
}

/** Kinds of filters that keep all of a file or nothing of it. */
const wholeKinds = ["repo", "lang"] as const;

/** Filters that the answer to a search of one file suggests, as they are added to its query; `undefined` where there are none. */
export function fragmentOf(exchange: RecordedExchange): string | undefined {
  const filters = filtersOf(exchange);
  const values = wholeKinds.flatMap((kind) => filters.find((filter) => filter.kind === kind)?.value ?? []);
  return values.length === 0 ? undefined : values.join(" ");
}

/** Whether a filter names one language, or one repository whatever its branches: a file is of one of each. */
const isOfKind =
  (kind: string) =>
  (filter: SuggestedFilter): boolean =>
    filter.kind === kind && !filter.value.includes("@");

/** Whether an answer suggests several filters of which each keeps other files, and has counted all that they keep. */
export function hasExhaustiveChoice(exchange: RecordedExchange): boolean {
  const exhaustive = filtersOf(exchange).filter(({ isExhaustive }) => isExhaustive);
  return wholeKinds.some((kind) => exhaustive.filter(isOfKind(kind)).length > 1);
}

const nameOf = (value: string): string | undefined => /^\w+(?=:)/u.exec(value)?.[0].toLowerCase();

/** Whether a query has a filter of this name already: most of them may stand in it only once, or are a number. */
const isTaken = (value: string, query: string): boolean =>
  query.split(/\s+/u).some((word) => nameOf(word) !== undefined && nameOf(word) === nameOf(value));

/** The filters that keep the fewest and the most, and one in between; those that count all that they keep come first. */
function someOf(filters: readonly SuggestedFilter[]): readonly SuggestedFilter[] {
  const sorted = filters.toSorted(
    (one, other) => Number(other.isExhaustive) - Number(one.isExhaustive) || one.count - other.count,
  );
  const last = sorted.length - 1;
  return [...new Set([0, last, Math.floor(last / 2)])].flatMap((index) => sorted[index] ?? []);
}

/** A filter that keeps more than this is not tried: to find that out would cost as much as the search that suggests it. */
const mostKept = 300;

/** Of all kinds together so many filters are tried at most. */
export const maxTried = 12;

/** The filters that an answer suggests and that are tried with its query: some of each kind, as texts to be added to it. */
export function triedFilters(exchange: RecordedExchange, query: string): readonly string[] {
  const filters = filtersOf(exchange).filter(({ value, count }) => count <= mostKept && !isTaken(value, query));
  const kinds = new Set([...wholeKinds, ...filters.map(({ kind }) => kind)]);
  const tried = [...kinds].flatMap((kind) => someOf(filters.filter((filter) => filter.kind === kind)));
  return [...new Set(tried.map(({ value }) => value))].slice(0, maxTried);
}
