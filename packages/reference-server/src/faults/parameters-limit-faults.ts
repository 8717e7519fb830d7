import { filterValues, withFilter, withoutFilter } from "../query/edit-filters.ts";
import { changeElements, changeProgress } from "./event-transforms.ts";
import { type Fault, legal, violating } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { searchWith } from "./parameter-transforms.ts";
import { withoutLimitEntries } from "./skipped-transforms.ts";

const hasCount = (query: string): boolean => filterValues(query, "count").length > 0;

const isLarge = (query: string): boolean => filterValues(query, "count").some((value) => Number(value) >= 100);

const isNumbered = ({ given }: FaultRun): boolean => hasCount(given.get("q") ?? "");

/** A search without a number stops at one of its own. */
const ownLimit = searchWith(({ q, ...parameters }, { values }) =>
  hasCount(q) ? undefined : { ...parameters, q: withFilter(q, "count", Number(values["limit"])) },
);

/** Faults in what a search without a number comes to, and in the filters that it suggests. */
export const limitFaults: readonly Fault[] = [
  violating("stream/cut-results-are-named", "own-limit-not-named")(
    "A search without `count:` stops after five matches, or as many as the parameter says, and tells nobody.",
    [ownLimit, changeProgress((progress, run) => (isNumbered(run) ? undefined : withoutLimitEntries(progress)))],
    { limit: { title: "number of matches after which it stops", default: 5 } },
  ),
  violating("stream/count-stops-no-earlier", "number-lowered")(
    "A search with a number of 100 or more stops after five matches, or as many as the parameter says, and tells nobody.",
    [
      searchWith(({ q, ...parameters }, { values }) =>
        isLarge(q) ? { ...parameters, q: withFilter(q, "count", Number(values["limit"])) } : undefined,
      ),
      changeProgress((progress, run) =>
        isLarge(run.given.get("q") ?? "") ? withoutLimitEntries(progress) : undefined,
      ),
    ],
    { limit: { title: "number of matches after which it stops", default: 5 } },
  ),
  legal("own-limit-named")(
    "A search without `count:` stops after five matches, or as many as the parameter says, and tells so.",
    ownLimit,
    { limit: { title: "number of matches after which it stops", default: 5 } },
  ),
  violating("stream/suggested-filter-narrows", "language-filter-ignored")(
    "The filter `lang:` of a query has no effect, although it is suggested.",
    searchWith(({ q, ...parameters }) =>
      filterValues(q, "lang").length > 0 ? { ...parameters, q: withoutFilter(q, "lang") } : undefined,
    ),
  ),
  violating("stream/suggested-filter-finds-matches", "filter-in-vain")(
    "Filters for a language are suggested with the value of another one, or with none that can be added to a query.",
    changeElements("filters", (filter, { values }) =>
      filter["kind"] === "lang" ? { ...filter, value: String(values["value"]) } : undefined,
    ),
    {
      value: {
        title: "value of the filters",
        default: "lang:haskell",
        choices: ["lang:haskell", "haskell", "nosuchfilter:haskell"],
      },
    },
  ),
];
