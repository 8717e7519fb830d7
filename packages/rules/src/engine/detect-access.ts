import { hasMatches, isAuthorised, isUsable, isRefusedOrRedirected, withCredential } from "./answer.ts";
import type { JudgedExchange, TargetFacts } from "./rule.ts";
import { sameSearch } from "./search-query.ts";

/**
 * Who may search, by what searches without a token got that found something with one: `private` if every one was refused by
 * its status, `public` if every one delivered matches. Anything else decides nothing: how an instance refuses is unspecified,
 * and a public one may keep some code for its users. Source: search-stream, section 5.
 */
export function detectAccess(exchanges: readonly JudgedExchange[]): TargetFacts["foundAccess"] {
  const finds = new Set(exchanges.filter((exchange) => isAuthorised(exchange) && hasMatches(exchange)).map(sameSearch));
  const anonymous = withCredential(exchanges, "none").filter(
    (exchange) => isUsable(exchange) && finds.has(sameSearch(exchange)),
  );
  if (anonymous.length === 0) {
    return undefined;
  }
  return anonymous.every(isRefusedOrRedirected) ? "private" : anonymous.every(hasMatches) ? "public" : undefined;
}
