import { filterValues, withFilter, withoutFilter } from "../query/edit-filters.ts";
import { changeElements, changeProgress } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
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
  {
    id: "own-limit-not-named",
    title: "a limit of its own that is not named",
    description:
      "A search without `count:` stops after five matches, or as many as the parameter says, and tells nobody.",
    kind: "violation",
    attacks: "stream/cut-results-are-named",
    parameters: { limit: { title: "number of matches after which it stops", default: 5 } },
    ...ownLimit,
    also: [changeProgress((progress, run) => (isNumbered(run) ? undefined : withoutLimitEntries(progress)))],
  },
  {
    id: "number-lowered",
    title: "a search that stops before its number",
    description:
      "A search with a number of 100 or more stops after five matches, or as many as the parameter says, and tells nobody.",
    kind: "violation",
    attacks: "stream/count-stops-no-earlier",
    parameters: { limit: { title: "number of matches after which it stops", default: 5 } },
    ...searchWith(({ q, ...parameters }, { values }) =>
      isLarge(q) ? { ...parameters, q: withFilter(q, "count", Number(values["limit"])) } : undefined,
    ),
    also: [
      changeProgress((progress, run) =>
        isLarge(run.given.get("q") ?? "") ? withoutLimitEntries(progress) : undefined,
      ),
    ],
  },
  {
    id: "own-limit-named",
    title: "a limit of its own that is named",
    description: "A search without `count:` stops after five matches, or as many as the parameter says, and tells so.",
    kind: "legal",
    parameters: { limit: { title: "number of matches after which it stops", default: 5 } },
    ...ownLimit,
  },
  {
    id: "language-filter-ignored",
    title: "a filter for a language without effect",
    description: "The filter `lang:` of a query has no effect, although it is suggested.",
    kind: "violation",
    attacks: "stream/suggested-filter-narrows",
    ...searchWith(({ q, ...parameters }) =>
      filterValues(q, "lang").length > 0 ? { ...parameters, q: withoutFilter(q, "lang") } : undefined,
    ),
  },
  {
    id: "filter-in-vain",
    title: "a filter that finds nothing",
    description:
      "Filters for a language are suggested with the value of another one, or with none that can be added to a query.",
    kind: "violation",
    attacks: "stream/suggested-filter-finds-matches",
    parameters: {
      value: {
        title: "value of the filters",
        default: "lang:haskell",
        choices: ["lang:haskell", "haskell", "nosuchfilter:haskell"],
      },
    },
    ...changeElements("filters", (filter, { values }) =>
      filter["kind"] === "lang" ? { ...filter, value: String(values["value"]) } : undefined,
    ),
  },
];
