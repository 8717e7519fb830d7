import type { RuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { defineExchangeRule } from "../engine/rule.ts";
import type { ExchangeRule, TargetFacts } from "../engine/rule.ts";
import { sameSearch } from "../parameters/search-query.ts";
import { hasMatches, isAuthorised, isSettled, unsettledObstacle, withCredential } from "./answer.ts";

interface RefusalRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** What the search came with, one clause. */
  readonly came: string;
  /** What is missing where no such search was sent, when a run has to be given something for it. */
  readonly needs?: string;
}

const notPrivate = ({ access }: Pick<TargetFacts, "access">): string | undefined =>
  access === "private"
    ? undefined
    : access === "public"
      ? "the target is public"
      : "whether the target is public was not said (--access private|public)";

/**
 * A rule that a search with a bad credential delivers nothing on a target that is not public. How it is refused is left
 * open, so only delivered matches break it; that none came says something only for a search that has some when it may.
 */
export const searchIsRefused = ({ id, credential, came, needs }: RefusalRule): ExchangeRule =>
  defineExchangeRule({
    id,
    excludes: notPrivate,
    check(exchanges, reportFor) {
      const finds = new Set(
        exchanges.filter((exchange) => isAuthorised(exchange) && hasMatches(exchange)).map(sameSearch),
      );
      const sent = withCredential(exchanges, credential);
      if (sent.length === 0 && needs !== undefined) {
        reportFor("").obstacle({ kind: "prerequisite", missing: needs });
      }
      const unsettled = sent.some((exchange) => hasMatches(exchange))
        ? undefined
        : unsettledObstacle(sent, `the search ${came}`);
      if (unsettled !== undefined) {
        reportFor("").obstacle(unsettled);
      }
      for (const exchange of sent) {
        const report = reportFor(exchange.record.id);
        if (hasMatches(exchange)) {
          report.observe();
          report.violation({ message: `a search ${came} was answered with ${exchange.stream?.matches} matches` });
        } else if (isSettled(exchange) && finds.has(sameSearch(exchange))) {
          report.observe();
        }
      }
    },
  });
