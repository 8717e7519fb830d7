import type { MutationsByRule } from "./mutation.ts";
import {
  filterIn,
  findsNothingWith,
  isSame,
  misread,
  otherFilter,
  otherwise,
  textForExpression,
  withoutFilter,
} from "./search-edits.ts";
import type { Asked } from "./search-edits.ts";

const hasOwnType = (asked: Asked): boolean => filterIn(asked, "patternType") !== undefined;

/** Mutations for the rules about the reading of queries. */
export const queryReading = {
  "stream/omitted-v-is-v3": [
    misread({
      name: "finds something else without `v`",
      needs: "a query that finds something else with another `t`, without `v` and with `v=V3`",
      effect: "read a search without `v` like the same one with another `t`",
      readInstead: otherwise(
        "t",
        (asked, other) => asked["v"] === undefined && asked["t"] === undefined && other["t"] !== "standard",
      ),
    }),
    findsNothingWith("`v`", (asked) => asked["v"] !== undefined),
  ],
  "stream/omitted-t-is-standard": [
    misread({
      name: "reads the query differently without `t`",
      needs: "a search without `t` whose query finds something else with another `t`",
      effect: "read a search without `t` like the same one with another `t`",
      readInstead: otherwise("t", (asked, other) => asked["t"] === undefined && other["t"] !== "standard"),
    }),
    findsNothingWith("`t=standard`", (asked) => asked["t"] === "standard" && !hasOwnType(asked)),
  ],
  "stream/t-selects-pattern-type": [
    misread({
      name: "ignores `t`",
      needs: "a query that finds something else with another `t`",
      effect: "read a search with `t` like the same one without it",
      readInstead: otherwise(
        "t",
        (asked, other) => asked["t"] !== undefined && (other["t"] ?? "standard") === "standard",
      ),
    }),
    findsNothingWith("`t=regexp`", (asked) => asked["t"] === "regexp" && !hasOwnType(asked)),
  ],
  "stream/regexp-reads-expressions": [textForExpression],
  "stream/pattern-type-filter-selects": [
    misread({
      name: "ignores `patternType:`",
      needs: "a query that finds something else with another `patternType:`",
      effect: "read a query with `patternType:` like one with another",
      readInstead: otherFilter("patternType", (own) => own !== undefined),
    }),
    // Skips the broken expression, which every target should reject.
    findsNothingWith("`patternType:`", (asked) => hasOwnType(asked) && !/\(/u.test(asked["q"] ?? "")),
  ],
  "stream/pattern-type-filter-wins": [
    misread({
      name: "prefers `t` to `patternType:`",
      needs: "a query with `patternType:` and another `t`, and the same without `patternType:`",
      effect: "read a query with `patternType:` by its `t`",
      readInstead(asked, all) {
        const plain = withoutFilter(asked, "patternType");
        return hasOwnType(asked) && asked["t"] !== undefined
          ? all.filter((other) => !hasOwnType(other) && isSame(other, plain))
          : [];
      },
    }),
    findsNothingWith("`t` and `patternType:`", (asked) => asked["t"] !== undefined && hasOwnType(asked)),
  ],
} as const satisfies MutationsByRule;
