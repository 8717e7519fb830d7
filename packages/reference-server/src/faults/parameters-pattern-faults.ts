import { type Fault, violating } from "./fault.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";
import type { SearchParameters } from "../http/search-parameters.ts";
import { filterValues, withoutFilter } from "../query/edit-filters.ts";

const patternFilter = "patterntype";

const hasPatternFilter = ({ q }: SearchParameters): boolean => filterValues(q, patternFilter).length > 0;

/** A search without `t` that is read as this type, whatever `v` says. */
const omittedType = (patternType: string): Fault =>
  violating("stream/omitted-t-is-standard", `omitted-t-is-${patternType}`)(
    `Without \`t\` and without \`patternType:\` a query is read as if \`t=${patternType}\` were given.`,
    searchWith((parameters, run) =>
      isGiven(run, "t") || hasPatternFilter(parameters) ? undefined : { ...parameters, patternType },
    ),
  );

/** Faults in how a query is read. */
export const patternFaults: readonly Fault[] = [
  violating("stream/omitted-v-is-v3", "omitted-v-is-v1")(
    // Also where `t` asks for the default, so that it is the missing `v` alone that makes a difference.
    "Without `v` a query without `patternType:` and without `t=keyword` is read as with `v=V1`: as a regular expression.",
    searchWith((parameters, run) =>
      isGiven(run, "v") || run.given.get("t") === "keyword" || hasPatternFilter(parameters)
        ? undefined
        : { ...parameters, patternType: "regexp" },
    ),
  ),
  omittedType("regexp"),
  omittedType("keyword"),
  violating("stream/t-selects-pattern-type", "t-ignored")(
    "The parameter `t` has no effect: a query without `patternType:` is read as a standard one.",
    searchWith((parameters, run) =>
      isGiven(run, "t") && !hasPatternFilter(parameters) ? { ...parameters, patternType: "standard" } : undefined,
    ),
  ),
  violating("stream/t-selects-pattern-type", "t-read-otherwise")(
    "With `t=keyword` a query is read as a regular expression, with `t=regexp` as a list of keywords.",
    searchWith((parameters, { given, values }) =>
      given.get("t") === values["type"] && !hasPatternFilter(parameters)
        ? { ...parameters, patternType: values["type"] === "keyword" ? "regexp" : "keyword" }
        : undefined,
    ),
    { type: { title: "the pattern type", default: "keyword", choices: ["keyword", "regexp"] } },
  ),
  violating("stream/omitted-v-is-v3", "explicit-v-finds-less")(
    "With `v=V3` a search for paths leaves out those of Markdown, without it none.",
    searchWith((parameters, run) =>
      isGiven(run, "v") && parameters.q.includes("type:path")
        ? { ...parameters, q: `${parameters.q} -file:\\.md$` }
        : undefined,
    ),
  ),
  violating("stream/omitted-v-is-v3", "omitted-v-knows-no-filters")(
    "Without `v` a query without `patternType:` is looked for as one text, filters and all.",
    searchWith((parameters, run) =>
      isGiven(run, "v") || hasPatternFilter(parameters)
        ? undefined
        : { ...parameters, q: JSON.stringify(parameters.q) },
    ),
  ),
  violating("stream/pattern-type-filter-selects", "pattern-type-filter-ignored")(
    "The filter `patternType:keyword`, or another one, has no effect; without `t` the query is read as a standard one.",
    searchWith((parameters, { values }) =>
      filterValues(parameters.q, patternFilter).at(-1)?.toLowerCase() === values["type"] &&
      parameters.q.includes("count:")
        ? { ...parameters, q: withoutFilter(parameters.q, patternFilter), patternType: "standard" }
        : undefined,
    ),
    { type: { title: "the pattern type", default: "keyword", choices: ["keyword", "regexp"] } },
  ),
  violating("stream/omitted-t-is-standard", "explicit-t-is-regexp")(
    "With `t=standard` a query without `patternType:` is read as a regular expression.",
    searchWith((parameters, { given }) =>
      given.get("t") === "standard" && !hasPatternFilter(parameters)
        ? { ...parameters, patternType: "regexp" }
        : undefined,
    ),
  ),
  violating("stream/pattern-type-filter-wins", "t-beats-pattern-type")(
    "With `t` the filter `patternType:` of the query has no effect.",
    searchWith((parameters, run) =>
      isGiven(run, "t") && hasPatternFilter(parameters)
        ? { ...parameters, q: withoutFilter(parameters.q, patternFilter) }
        : undefined,
    ),
  ),
];
