import { defineExchangeRule } from "../engine/rule.ts";
import { isDistressed, isRefused, withCredential } from "./answer.ts";

/** A public instance answers without authentication. Source: search-stream, section 5. */
export const anonymousSearchIsAccepted = defineExchangeRule({
  id: "stream/anonymous-search-is-accepted",
  excludes: ({ access }) =>
    access === "public" ? undefined : "the target was not said to be public (--access public)",
  check(exchanges, reportFor) {
    for (const exchange of withCredential(exchanges, "none")) {
      if (isDistressed(exchange)) {
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observe();
      if (isRefused(exchange)) {
        report.violation({ message: `a search without a token was refused with ${exchange.record.response?.status}` });
      }
    }
  },
});
