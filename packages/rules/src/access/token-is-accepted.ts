import type { RuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { defineExchangeRule } from "../engine/rule.ts";
import type { ExchangeRule } from "../engine/rule.ts";
import { isAnswered, isDistressed, isRefused, withCredential } from "./answer.ts";

interface TokenRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** How the token is called, and how a run is given one. */
  readonly name: string;
  readonly variable: string;
}

/**
 * A rule that a token of one scheme is accepted. A refusal counts only when the target accepted some other token: where
 * all are refused, the tokens may just be wrong.
 */
export const tokenIsAccepted = ({ id, credential, name, variable }: TokenRule): ExchangeRule =>
  defineExchangeRule({
    id,
    check(exchanges, reportFor) {
      const sent = withCredential(exchanges, credential).filter((exchange) => !isDistressed(exchange));
      if (sent.length === 0) {
        reportFor("").obstacle({
          kind: "prerequisite",
          missing: `no search with an ${name} (give one in ${variable})`,
        });
        return;
      }
      const others = exchanges.filter(
        ({ record }) => record.credential !== "none" && record.credential !== "invalid-token",
      );
      if (!others.some(isAnswered)) {
        reportFor("").obstacle({ kind: "prerequisite", missing: "a token that the target accepts" });
        return;
      }
      for (const exchange of sent) {
        const report = reportFor(exchange.record.id);
        report.observe();
        if (isRefused(exchange)) {
          report.violation({ message: `the ${name} was refused with ${exchange.record.response?.status}` });
        }
      }
    },
  });
