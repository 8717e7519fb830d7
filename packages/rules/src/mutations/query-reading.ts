import type { Counterexamples } from "./mutation.ts";
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

/** Counterexamples of the rules about how a query is read. */
export const queryReading = {
  "stream/omitted-v-is-v3": [
    misread({
      name: "finds something else without `v`",
      needs: "a query that finds something else with another `t`, without `v` and with `v=V3`",
      what: "answered a search without `v` as the same one with another `t`",
      takenFor: otherwise(
        "t",
        (asked, other) => asked["v"] === undefined && asked["t"] === undefined && other["t"] !== "standard",
      ),
    }),
    findsNothingWith("`v`", (asked) => asked["v"] !== undefined),
  ],
  "stream/omitted-t-is-standard": [
    misread({
      name: "reads the query in another way without `t`",
      needs: "a search without `t` whose query finds something else with another `t`",
      what: "answered a search without `t` as the same one with another `t`",
      takenFor: otherwise("t", (asked, other) => asked["t"] === undefined && other["t"] !== "standard"),
    }),
    findsNothingWith("`t=standard`", (asked) => asked["t"] === "standard" && !hasOwnType(asked)),
  ],
  "stream/t-selects-pattern-type": [
    misread({
      name: "ignores `t`",
      needs: "a query that finds something else with another `t`",
      what: "answered a search with `t` as the same one without it",
      takenFor: otherwise("t", (asked, other) => asked["t"] !== undefined && (other["t"] ?? "standard") === "standard"),
    }),
    findsNothingWith("`t=regexp`", (asked) => asked["t"] === "regexp" && !hasOwnType(asked)),
  ],
  "stream/regexp-reads-expressions": [textForExpression],
  "stream/pattern-type-filter-selects": [
    misread({
      name: "ignores `patternType:`",
      needs: "a query that finds something else with another `patternType:`",
      what: "answered a query with `patternType:` as one with another",
      takenFor: otherFilter("patternType", (own) => own !== undefined),
    }),
    // The broken expression is to be understood by nobody.
    findsNothingWith("`patternType:`", (asked) => hasOwnType(asked) && !/\(/u.test(asked["q"] ?? "")),
  ],
  "stream/pattern-type-filter-wins": [
    misread({
      name: "reads the query as `t` says where it has `patternType:`",
      needs: "a query with `patternType:` and another `t`, and the same without `patternType:`",
      what: "answered a query with `patternType:` as `t` says",
      takenFor(asked, all) {
        const plain = withoutFilter(asked, "patternType");
        return hasOwnType(asked) && asked["t"] !== undefined
          ? all.filter((other) => !hasOwnType(other) && isSame(other, plain))
          : [];
      },
    }),
    findsNothingWith("`t` and `patternType:`", (asked) => asked["t"] !== undefined && hasOwnType(asked)),
  ],
} as const satisfies Counterexamples;
