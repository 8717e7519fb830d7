import type { Fault } from "./fault.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";
import type { SearchParameters } from "../http/search-parameters.ts";
import { filterValues, withoutFilter } from "../query/edit-filters.ts";

const patternFilter = "patterntype";

const hasPatternFilter = ({ q }: SearchParameters): boolean => filterValues(q, patternFilter).length > 0;

/** A search without `t` that is read as this type, whatever `v` says. */
const omittedType = (patternType: string): Fault => ({
  id: `omitted-t-is-${patternType}`,
  title: `a search without t is a ${patternType} search`,
  description: `Without \`t\` and without \`patternType:\` a query is read as if \`t=${patternType}\` were given.`,
  kind: "violation",
  attacks: "stream/omitted-t-is-standard",
  ...searchWith((parameters, run) =>
    isGiven(run, "t") || hasPatternFilter(parameters) ? undefined : { ...parameters, patternType },
  ),
});

/** Faults in how a query is read. */
export const patternFaults: readonly Fault[] = [
  {
    id: "omitted-v-is-v1",
    title: "a search without v is an old one",
    // Also where `t` asks for the default, so that it is the missing `v` alone that makes a difference.
    description:
      "Without `v` a query without `patternType:` and without `t=keyword` is read as with `v=V1`: as a regular expression.",
    kind: "violation",
    attacks: "stream/omitted-v-is-v3",
    ...searchWith((parameters, run) =>
      isGiven(run, "v") || run.given.get("t") === "keyword" || hasPatternFilter(parameters)
        ? undefined
        : { ...parameters, patternType: "regexp" },
    ),
  },
  omittedType("regexp"),
  omittedType("keyword"),
  {
    id: "t-ignored",
    title: "a t without effect",
    description: "The parameter `t` has no effect: a query without `patternType:` is read as a standard one.",
    kind: "violation",
    attacks: "stream/t-selects-pattern-type",
    ...searchWith((parameters, run) =>
      isGiven(run, "t") && !hasPatternFilter(parameters) ? { ...parameters, patternType: "standard" } : undefined,
    ),
  },
  {
    id: "t-read-otherwise",
    title: "a t that is read as another type than its filter",
    description: "With `t=keyword` a query is read as a regular expression, with `t=regexp` as a list of keywords.",
    kind: "violation",
    attacks: "stream/t-selects-pattern-type",
    parameters: { type: { title: "the pattern type", default: "keyword", choices: ["keyword", "regexp"] } },
    ...searchWith((parameters, { given, values }) =>
      given.get("t") === values["type"] && !hasPatternFilter(parameters)
        ? { ...parameters, patternType: values["type"] === "keyword" ? "regexp" : "keyword" }
        : undefined,
    ),
  },
  {
    id: "explicit-v-finds-less",
    title: "a v that finds less than none",
    description: "With `v=V3` a search for paths leaves out those of Markdown, without it none.",
    kind: "violation",
    attacks: "stream/omitted-v-is-v3",
    ...searchWith((parameters, run) =>
      isGiven(run, "v") && parameters.q.includes("type:path")
        ? { ...parameters, q: `${parameters.q} -file:\\.md$` }
        : undefined,
    ),
  },
  {
    id: "omitted-v-knows-no-filters",
    title: "a search without v that knows no filters",
    description: "Without `v` a query without `patternType:` is looked for as one text, filters and all.",
    kind: "violation",
    attacks: "stream/omitted-v-is-v3",
    ...searchWith((parameters, run) =>
      isGiven(run, "v") || hasPatternFilter(parameters)
        ? undefined
        : { ...parameters, q: JSON.stringify(parameters.q) },
    ),
  },
  {
    id: "pattern-type-filter-ignored",
    title: "a filter for the pattern type that does nothing",
    description:
      "The filter `patternType:keyword`, or another one, has no effect; without `t` the query is read as a standard one.",
    kind: "violation",
    attacks: "stream/pattern-type-filter-selects",
    parameters: { type: { title: "the pattern type", default: "keyword", choices: ["keyword", "regexp"] } },
    ...searchWith((parameters, { values }) =>
      filterValues(parameters.q, patternFilter).at(-1)?.toLowerCase() === values["type"] &&
      parameters.q.includes("count:")
        ? { ...parameters, q: withoutFilter(parameters.q, patternFilter), patternType: "standard" }
        : undefined,
    ),
  },
  {
    id: "explicit-t-is-regexp",
    title: "a t=standard that is taken for an expression",
    description: "With `t=standard` a query without `patternType:` is read as a regular expression.",
    kind: "violation",
    attacks: "stream/omitted-t-is-standard",
    ...searchWith((parameters, { given }) =>
      given.get("t") === "standard" && !hasPatternFilter(parameters)
        ? { ...parameters, patternType: "regexp" }
        : undefined,
    ),
  },
  {
    id: "t-beats-pattern-type",
    title: "a t that beats the filter",
    description: "With `t` the filter `patternType:` of the query has no effect.",
    kind: "violation",
    attacks: "stream/pattern-type-filter-wins",
    ...searchWith((parameters, run) =>
      isGiven(run, "t") && hasPatternFilter(parameters)
        ? { ...parameters, q: withoutFilter(parameters.q, patternFilter) }
        : undefined,
    ),
  },
];
