import type { SearchParameters } from "../service/http/search-parameters.ts";
import { readFilterValues, withoutFilter } from "../service/query/edit-filters.ts";
import { type Fault, type FaultEffect, choice, withSettings, defineViolation } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { findsNothing, isParameterSet, searchWithQuery, searchWith } from "./parameter-transforms.ts";

const patternFilterName = "patterntype";

const hasPatternFilter = ({ q }: Pick<SearchParameters, "q">): boolean =>
  readFilterValues(q, patternFilterName).length > 0;

/** Returns the pattern type of a query. */
const readPatternType = (q: string, patternType: string): string =>
  readFilterValues(q, patternFilterName).at(-1)?.toLowerCase() ?? patternType;

/** Interprets selected queries without `patternType:` with this pattern type. */
const interpretAs = (patternType: string, isSelected: (run: FaultRun) => boolean): FaultEffect =>
  searchWith((parameters, run) => (isSelected(run) && !hasPatternFilter(parameters) ? { patternType } : undefined));

const patternTypes = choice("the pattern type", "keyword", "regexp");

/** Interprets searches without `t` with this pattern type, regardless of `v`. */
const createOmittedTypeFault = (patternType: string): Fault =>
  defineViolation("stream/omitted-t-is-standard", `omitted-t-is-${patternType}`)(
    `Without \`t\` and without \`patternType:\` a query is interpreted as with \`t=${patternType}\`.`,
    interpretAs(patternType, (run) => !isParameterSet(run, "t")),
  );

const wrongDecodings = {
  twice: (q: string): string =>
    q.replaceAll(/%([\da-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  "plus-as-space": (q: string): string => q.replaceAll("+", " "),
  "latin-1": (q: string): string => Buffer.from(q, "utf8").toString("latin1"),
};

/** Faults in the effect of `v`, `t` and `patternType:` on the interpretation of a query. */
export const interpretationFaults: readonly Fault[] = [
  // Also applies if `t` is the default, so that only the missing `v` has an effect.
  defineViolation("stream/omitted-v-is-v3", "omitted-v-is-v1")(
    "Without `v`, a query without `patternType:` and without `t=keyword` is interpreted as with `v=V1`: as a regular expression.",
    interpretAs("regexp", (run) => !isParameterSet(run, "v") && run.queryParameters.get("t") !== "keyword"),
  ),
  createOmittedTypeFault("regexp"),
  createOmittedTypeFault("keyword"),
  defineViolation("stream/t-selects-pattern-type", "t-ignored")(
    "The parameter `t` has no effect: queries without `patternType:` are interpreted as standard queries.",
    interpretAs("standard", (run) => isParameterSet(run, "t")),
  ),
  defineViolation("stream/t-selects-pattern-type", "t-read-otherwise")(
    "With `t=keyword` a query is interpreted as a regular expression, with `t=regexp` as a list of keywords.",
    withSettings({ type: patternTypes }, ({ type }) =>
      interpretAs(
        type === "keyword" ? "regexp" : "keyword",
        ({ queryParameters }) => queryParameters.get("t") === type,
      ),
    ),
  ),
  defineViolation("stream/omitted-v-is-v3", "explicit-v-finds-nothing")(
    "With `v` nothing is found.",
    findsNothing((run) => isParameterSet(run, "v")),
  ),
  defineViolation("stream/omitted-v-is-v3", "explicit-v-finds-less")(
    "With `v=V3` a search for paths omits Markdown files; without it, none.",
    searchWithQuery((q, run) =>
      isParameterSet(run, "v") && q.includes("type:path") ? `${q} -file:\\.md$` : undefined,
    ),
  ),
  defineViolation("stream/omitted-v-is-v3", "omitted-v-knows-no-filters")(
    "Without `v`, the whole text of a query without `patternType:` is searched for literally, including its filters.",
    searchWithQuery((q, run) => (isParameterSet(run, "v") || hasPatternFilter({ q }) ? undefined : JSON.stringify(q))),
  ),
  defineViolation("stream/regexp-reads-expressions", "pattern-types-ignored")(
    "Queries are interpreted as standard queries for some values of `t` and `patternType:`, for example for all.",
    withSettings({ types: choice("which types", "every", "regexp") }, ({ types }) =>
      searchWith(({ q, patternType }) =>
        types === "every" || readPatternType(q, patternType) === "regexp"
          ? { q: withoutFilter(q, patternFilterName), patternType: "standard" }
          : undefined,
      ),
    ),
  ),
  defineViolation("stream/regexp-reads-expressions", "query-decoded-wrongly")(
    "Queries are decoded twice, or as another encoding than UTF-8, or their plus signs are read as spaces again.",
    withSettings({ how: choice("how they are decoded", "twice", "plus-as-space", "latin-1") }, ({ how }) =>
      searchWithQuery((q) => {
        const decoded = wrongDecodings[how](q);
        return decoded === q ? undefined : decoded;
      }),
    ),
  ),
  defineViolation("stream/pattern-type-filter-selects", "pattern-type-filter-ignored")(
    "One pattern type in the filter `patternType:`, for example `keyword`, has no effect. Without `t` the query is interpreted as a standard query.",
    withSettings({ type: patternTypes }, ({ type }) =>
      searchWith(({ q }) =>
        readFilterValues(q, patternFilterName).at(-1)?.toLowerCase() === type && q.includes("count:")
          ? { q: withoutFilter(q, patternFilterName), patternType: "standard" }
          : undefined,
      ),
    ),
  ),
  defineViolation("stream/omitted-t-is-standard", "explicit-t-is-regexp")(
    "With `t=standard` a query without `patternType:` is interpreted as a regular expression.",
    interpretAs("regexp", ({ queryParameters }) => queryParameters.get("t") === "standard"),
  ),
  defineViolation("stream/pattern-type-filter-wins", "t-beats-pattern-type")(
    "With `t` the filter `patternType:` of the query has no effect.",
    searchWithQuery((q, run) =>
      isParameterSet(run, "t") && hasPatternFilter({ q }) ? withoutFilter(q, patternFilterName) : undefined,
    ),
  ),
];
