import { defineExchangeRule } from "../engine/rule.ts";
import { sameSearch } from "../parameters/search-query.ts";
import { isAuthorised, isSearched, isSettled, isTurnedAway, whatCame, withCredential } from "./answer.ts";

/**
 * A public instance answers without authentication: it turns no search away, and carries out what it carries out for a
 * token. Source: search-stream, section 5.
 */
export const anonymousSearchIsAccepted = defineExchangeRule({
  id: "stream/anonymous-search-is-accepted",
  excludes: ({ access }) =>
    access === "public" ? undefined : "the target was not said to be public (--access public)",
  check(exchanges, reportFor) {
    const works = new Set(
      exchanges.filter((exchange) => isAuthorised(exchange) && isSearched(exchange)).map(sameSearch),
    );
    for (const exchange of withCredential(exchanges, "none").filter((exchange) => isSettled(exchange))) {
      const report = reportFor(exchange.record.id);
      const isRefused = isTurnedAway(exchange) || (works.has(sameSearch(exchange)) && !isSearched(exchange));
      report.observe(Number(isRefused || isSearched(exchange)));
      if (isRefused) {
        report.violation({ message: `a search without a token was not accepted: ${whatCame(exchange)}` });
      }
    }
  },
});
