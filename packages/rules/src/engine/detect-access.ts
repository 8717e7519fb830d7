import { hasMatches, hasValidToken, isUsable, isRefusedOrRedirected, withCredential } from "./answer.ts";
import type { JudgedExchange, TargetFacts } from "./rule.ts";
import { sameSearch } from "./search-query.ts";

/**
 * Determines who may search from searches without a token that found something with one. `private` if every one was
 * refused by its status, `public` if every one returned matches. Other results decide nothing: the specification does
 * not say how an instance refuses, and a public instance may restrict some code to its users. Source: search-stream,
 * section 5.
 */
export function detectAccess(exchanges: readonly JudgedExchange[]): TargetFacts["foundAccess"] {
  const finds = new Set(
    exchanges.filter((exchange) => hasValidToken(exchange) && hasMatches(exchange)).map(sameSearch),
  );
  const anonymous = withCredential(exchanges, "none").filter(
    (exchange) => isUsable(exchange) && finds.has(sameSearch(exchange)),
  );
  if (anonymous.length === 0) {
    return undefined;
  }
  return anonymous.every(isRefusedOrRedirected) ? "private" : anonymous.every(hasMatches) ? "public" : undefined;
}
