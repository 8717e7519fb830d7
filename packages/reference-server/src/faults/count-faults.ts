import { filterValues, withFilter, withoutFilter } from "../query/edit-filters.ts";
import { limitHit } from "../stream/skipped-entries.ts";
import { changeProgress } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { countOf, searchWith } from "./parameter-transforms.ts";
import { withEntry, withoutEntries } from "./skipped-transforms.ts";

const asksForAll = (query: string): boolean => filterValues(query, "count").at(-1)?.toLowerCase() === "all";

const queryOf = (given: URLSearchParams): string => given.get("q") ?? "";

/** Faults in what the filter `count:` does and in what is said about it. */
export const countFaults: readonly Fault[] = [
  {
    id: "count-ignored",
    title: "a count that has no effect",
    description: "The filter `count:` with a number is taken for one that is not there.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { q } = parameters;
      return countOf(q) === undefined ? undefined : { ...parameters, q: withoutFilter(q, "count") };
    }),
  },
  {
    id: "count-cuts-delivery-only",
    title: "a count that ends the delivery and not the search",
    description: "With `count:` and a number so many matches are delivered, and the search goes on counting.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { display = Number.POSITIVE_INFINITY, q } = parameters;
      const count = countOf(q);
      return count === undefined
        ? undefined
        : { ...parameters, q: withoutFilter(q, "count"), display: Math.min(display, count) };
    }),
    also: [
      // What was held back is named, as it is when the search stops.
      changeProgress((progress, { given }) => {
        const count = countOf(queryOf(given));
        return count !== undefined && Number(progress["matchCount"]) > count
          ? withEntry(progress, limitHit(count))
          : undefined;
      }),
    ],
  },
  {
    id: "count-all-capped",
    title: "a count:all that stops",
    description: "`count:all` stops after one match, or after as many as the parameter says.",
    kind: "violation",
    attacks: "stream/count-all-finds-everything",
    parameters: { limit: { title: "number of matches after which it stops", default: 1 } },
    ...searchWith((parameters, { values }) =>
      asksForAll(parameters.q)
        ? { ...parameters, q: withFilter(parameters.q, "count", Math.max(1, Number(values["limit"]))) }
        : undefined,
    ),
  },
  {
    id: "cut-not-named",
    title: "results that are cut off in silence",
    description: "`skipped` stays empty, whatever limit was reached.",
    kind: "violation",
    attacks: "stream/cut-results-are-named",
    ...changeProgress(withoutEntries),
  },
  {
    id: "count-overshot",
    title: "a search that stops a bit late",
    description: "With `count:` and a number the search stops five matches later, or as many as the parameter says.",
    kind: "observation",
    attacks: "stream/count-stops-search",
    parameters: { more: { title: "number of matches beyond `count:`", default: 5 } },
    ...searchWith((parameters, { values }) => {
      const count = countOf(parameters.q);
      return count === undefined
        ? undefined
        : { ...parameters, q: withFilter(parameters.q, "count", count + Number(values["more"])) };
    }),
  },
];
