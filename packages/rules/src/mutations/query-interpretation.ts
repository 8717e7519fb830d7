import type { MutationsByRule } from "./mutation.ts";
import {
  filterValue,
  noResultsMutation,
  haveSameParameters,
  misinterpretationMutation,
  filterSiblingsWhere,
  siblingsWhere,
  expressionAsTextMutation,
  withoutFilter,
  withoutParameters,
} from "./search-edits.ts";
import type { SearchParameters } from "./search-edits.ts";

const setsPatternType = (parameters: SearchParameters): boolean => filterValue(parameters, "patternType") !== undefined;

/** Decodes the letters of a query that are encoded as in a URL. */
const decodeQuery = (q: string): string =>
  q.replaceAll(/%([2-7][\da-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Mutations for the rules about how queries are interpreted. */
export const queryInterpretationMutations = {
  "stream/omitted-v-is-v3": [
    misinterpretationMutation({
      name: "finds something else without `v`",
      needs: "a query that finds something else with another `t`, without `v` and with `v=V3`",
      effect: "read a search without `v` like the same one with another `t`",
      findMisreadParameters: siblingsWhere(
        "t",
        (parameters, other) =>
          parameters["v"] === undefined && parameters["t"] === undefined && other["t"] !== "standard",
      ),
    }),
    noResultsMutation("`v`", (parameters) => parameters["v"] !== undefined),
  ],
  "stream/omitted-t-is-standard": [
    misinterpretationMutation({
      name: "reads the query differently without `t`",
      needs: "a search without `t` whose query finds something else with another `t`",
      effect: "read a search without `t` like the same one with another `t`",
      findMisreadParameters: siblingsWhere(
        "t",
        (parameters, other) => parameters["t"] === undefined && other["t"] !== "standard",
      ),
    }),
    noResultsMutation("`t=standard`", (parameters) => parameters["t"] === "standard" && !setsPatternType(parameters)),
  ],
  "stream/t-selects-pattern-type": [
    misinterpretationMutation({
      name: "ignores `t`",
      needs: "a query that finds something else with another `t`",
      effect: "read a search with `t` like the same one without it",
      findMisreadParameters: siblingsWhere(
        "t",
        (parameters, other) => parameters["t"] !== undefined && (other["t"] ?? "standard") === "standard",
      ),
    }),
    noResultsMutation("`t=regexp`", (parameters) => parameters["t"] === "regexp" && !setsPatternType(parameters)),
  ],
  "stream/regexp-reads-expressions": [
    expressionAsTextMutation,
    misinterpretationMutation({
      name: "decodes a query twice",
      needs: "a search for a word with one letter encoded twice, and one for the word",
      effect: "read an encoded word like the word",
      isOptional: true,
      findMisreadParameters: (parameters, recordedSearches) =>
        recordedSearches.filter(
          (other) =>
            /%[2-7][\da-f]/.test(parameters["q"] ?? "") &&
            haveSameParameters(other, { ...withoutParameters(parameters, "t"), q: decodeQuery(parameters["q"] ?? "") }),
        ),
    }),
  ],
  "stream/pattern-type-filter-selects": [
    misinterpretationMutation({
      name: "ignores `patternType:`",
      needs: "a query that finds something else with another `patternType:`",
      effect: "read a query with `patternType:` like one with another",
      findMisreadParameters: filterSiblingsWhere("patternType", (value) => value !== undefined),
    }),
    // Skips the broken expression, which every target should reject.
    noResultsMutation(
      "`patternType:`",
      (parameters) => setsPatternType(parameters) && !/\(/u.test(parameters["q"] ?? ""),
    ),
  ],
  "stream/pattern-type-filter-wins": [
    misinterpretationMutation({
      name: "prefers `t` to `patternType:`",
      needs: "a query with `patternType:` and another `t`, and the same without `patternType:`",
      effect: "read a query with `patternType:` by its `t`",
      findMisreadParameters(parameters, recordedSearches) {
        const withoutTypeFilter = withoutFilter(parameters, "patternType");
        return setsPatternType(parameters) && parameters["t"] !== undefined
          ? recordedSearches.filter((other) => !setsPatternType(other) && haveSameParameters(other, withoutTypeFilter))
          : [];
      },
    }),
    noResultsMutation(
      "`t` and `patternType:`",
      (parameters) => parameters["t"] !== undefined && setsPatternType(parameters),
    ),
  ],
} as const satisfies MutationsByRule;
