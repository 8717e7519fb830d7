import { hasMatches, hasValidToken, isUsable, isRefusedOrRedirected, withCredential } from "./answer.ts";
import type { JudgedExchange, TargetFacts } from "./rule.ts";
import { parameterKey } from "./search-query.ts";

/**
 * Determines who may search, based on searches without a token that have matches with one. `private` if every one was
 * refused by its status, `public` if every one returned matches. Other results are inconclusive: the specification does
 * not say how an instance refuses, and a public instance may restrict some code to its users. Source: search-stream,
 * section 5.
 */
export function detectAccess(exchanges: readonly JudgedExchange[]): TargetFacts["foundAccess"] {
  const searchesWithMatches = new Set(
    exchanges.filter((exchange) => hasValidToken(exchange) && hasMatches(exchange)).map(parameterKey),
  );
  const anonymousExchanges = withCredential(exchanges, "none").filter(
    (exchange) => isUsable(exchange) && searchesWithMatches.has(parameterKey(exchange)),
  );
  if (anonymousExchanges.length === 0) {
    return undefined;
  }
  return anonymousExchanges.every(isRefusedOrRedirected)
    ? "private"
    : anonymousExchanges.every(hasMatches)
      ? "public"
      : undefined;
}
