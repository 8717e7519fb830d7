import type { RuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { defineExchangeRule } from "../engine/rule.ts";
import type { ExchangeRule, JudgedExchange, TargetFacts } from "../engine/rule.ts";
import { searchQuery } from "../parameters/search-query.ts";
import { hasMatches, isAuthorised, isDistressed, withCredential } from "./answer.ts";

interface RefusalRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** What the search came with, one clause. */
  readonly came: string;
}

const notPrivate = ({ access }: TargetFacts): string | undefined =>
  access === "private"
    ? undefined
    : access === "public"
      ? "the target is public"
      : "whether the target is public was not said (--access private|public)";

const queryOf = ({ record }: JudgedExchange): string | null => searchQuery(record).get("q");

/**
 * A rule that a search with a bad credential delivers nothing on a target that is not public. How it is refused is left
 * open, so only delivered matches count, and only for a query that has some when it may.
 */
export const searchIsRefused = ({ id, credential, came }: RefusalRule): ExchangeRule =>
  defineExchangeRule({
    id,
    excludes: notPrivate,
    check(exchanges, reportFor) {
      const finds = new Set(
        exchanges.filter((exchange) => isAuthorised(exchange) && hasMatches(exchange)).map(queryOf),
      );
      for (const exchange of withCredential(exchanges, credential)) {
        if (isDistressed(exchange) || !finds.has(queryOf(exchange))) {
          continue;
        }
        const report = reportFor(exchange.record.id);
        report.observe();
        if (hasMatches(exchange)) {
          report.violation({ message: `a search ${came} was answered with ${exchange.stream?.matches} matches` });
        }
      }
    },
  });
