import type { Rule } from "../index.ts";
import type { ComparedSearch } from "../engine/compare/compared-search.ts";
import { parseSearch } from "../engine/compare/search.ts";
import { toUsableSearches } from "../engine/compare/usable-search.ts";
import type { UsableSearch } from "../engine/compare/usable-search.ts";
import { judgedBy } from "./judge-streams.ts";
import type { ExchangeSketch } from "./judge-streams.ts";

/** A rule without findings that keeps the results of every exchange. */
const keepsAll: Rule = {
  needs: "exchanges",
  id: "stream/no-display-no-limit",
  comparedExchangeIds: (records) => new Set(records.map(({ id }) => id)),
  check() {},
};

/** Returns the judged searches. Searches that cannot be compared are skipped. */
export const comparedSearches = (sketches: readonly ExchangeSketch[]): readonly ComparedSearch[] =>
  judgedBy([keepsAll], sketches).exchanges.flatMap((exchange) => {
    const search = parseSearch(exchange.record);
    return search === undefined ? [] : [{ search, exchange }];
  });

/** Returns a single usable search. Throws for any other. */
export function usableSearch(sketch: ExchangeSketch): UsableSearch {
  const [found] = toUsableSearches(comparedSearches([sketch]));
  if (found === undefined) {
    throw new Error("The search is not usable.");
  }
  return found;
}
