import type { RuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { provenTokenMissing } from "../engine/proven-token.ts";
import { defineExchangeRule } from "../engine/rule.ts";
import type { ExchangeRule } from "../engine/rule.ts";
import { sameSearch } from "../parameters/search-query.ts";
import { isAuthorised, isSearched, isSettled, unsettledObstacle, whatCame, withCredential } from "./answer.ts";

interface TokenRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** How the token is called, and how a run is given one. */
  readonly name: string;
  readonly variable: string;
}

/**
 * A rule that a token of one scheme gets a search carried out. It counts only where the same search was carried out for
 * some token: where all are turned away, the tokens may just be wrong, and a query may fail for anybody.
 */
export const tokenIsAccepted = ({ id, credential, name, variable }: TokenRule): ExchangeRule =>
  defineExchangeRule({
    id,
    check(exchanges, reportFor) {
      const sent = withCredential(exchanges, credential);
      const works = new Set(
        exchanges.filter((exchange) => isAuthorised(exchange) && isSearched(exchange)).map(sameSearch),
      );
      const judged = sent.filter((exchange) => isSettled(exchange) && works.has(sameSearch(exchange)));
      if (judged.length === 0) {
        const none = `no search with an ${name} (give one in ${variable})`;
        const missing = sent.length === 0 ? none : provenTokenMissing;
        const unsettled = unsettledObstacle(sent, `the search with an ${name}`);
        reportFor("").obstacle(unsettled ?? { kind: "prerequisite", missing });
      }
      for (const exchange of judged) {
        const report = reportFor(exchange.record.id);
        report.observe();
        if (!isSearched(exchange)) {
          report.violation({ message: `the ${name} was not accepted: ${whatCame(exchange)}` });
        }
      }
    },
  });
