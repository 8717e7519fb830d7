import type { RuleId } from "@assay/contract";
import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import {
  hasMatches,
  hasValidToken,
  isSearched,
  isUsable,
  isRefusedOrRedirected,
  blockedByUnusableResponses,
  describeResponse,
  withCredential,
} from "../engine/answer.ts";
import { acceptedTokenMissing } from "../engine/reporter.ts";
import { defineExchangeRule } from "../engine/rule.ts";
import type { AccessFacts, ExchangeRule } from "../engine/rule.ts";
import { sameSearch } from "../engine/search-query.ts";

interface TokenRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** The name of the token, and the variable that provides it. */
  readonly name: string;
  readonly variable: string;
}

/**
 * Defines a rule that a search with a token of one scheme succeeds. A refusal is a violation only if the same search
 * succeeds with some token. If all are refused, the tokens may be wrong, and a query may fail for everybody.
 */
const tokenIsAccepted = ({ id, credential, name, variable }: TokenRule): ExchangeRule =>
  defineExchangeRule({
    id,
    check(exchanges, reportFor) {
      const sent = withCredential(exchanges, credential);
      const working = new Set(
        exchanges.filter((exchange) => hasValidToken(exchange) && isSearched(exchange)).map(sameSearch),
      );
      const judged = sent.filter((exchange) => isUsable(exchange) && working.has(sameSearch(exchange)));
      if (judged.length === 0) {
        const notSent = `no search with an ${name} (set ${variable})`;
        const missing = sent.length === 0 ? notSent : acceptedTokenMissing;
        const blockedBy = blockedByUnusableResponses(sent, `the search with an ${name}`);
        reportFor("").blocked(blockedBy ?? { kind: "prerequisite", missing });
      }
      for (const exchange of judged) {
        const report = reportFor(exchange.record.id);
        report.observation();
        if (!isSearched(exchange)) {
          report.violation({ message: `the ${name} was not accepted: ${describeResponse(exchange)}` });
        }
      }
    },
  });

/** `Authorization: token <ACCESS_TOKEN>`. Source: search-stream, section 5. */
export const accessTokenIsAccepted = tokenIsAccepted({
  id: "stream/access-token-is-accepted",
  credential: "access-token",
  name: "access token",
  variable: "ASSAY_TOKEN",
});

/** `Authorization: Bearer <OAUTH_TOKEN>`. Source: search-stream, section 5. */
export const oauthTokenIsAccepted = tokenIsAccepted({
  id: "stream/oauth-token-is-accepted",
  credential: "oauth-token",
  name: "OAuth token",
  variable: "ASSAY_OAUTH_TOKEN",
});

interface RefusalRule {
  readonly id: RuleId;
  /** The credentials to check. */
  readonly credentials: readonly CredentialKind[];
  /** A clause that describes the credential of the search. */
  readonly description: string;
  /** Clauses for individual credentials that replace `description`. */
  readonly descriptions?: Readonly<Partial<Record<CredentialKind, string>>>;
  /** The missing prerequisite if the search was not sent and the user of Assay must provide something. */
  readonly needs?: string;
  readonly excludes?: ExchangeRule["excludes"];
}

const isPublic = "the target is public";

/** Excludes targets that neither were declared private nor refused a search without a token. */
const notPrivate = ({ access, foundAccess }: AccessFacts): string | undefined => {
  const known = access === "undeclared" ? foundAccess : access;
  return known === "private" ? undefined : known === "public" ? isPublic : "needs --access private";
};

/**
 * Excludes targets that were not declared private. Assay detects the access from the response to such a search, so that
 * response cannot fail the rule otherwise.
 */
const notDeclaredPrivate = ({ access, foundAccess }: AccessFacts): string | undefined => {
  if (access !== "undeclared") {
    return access === "private" ? undefined : isPublic;
  }
  return foundAccess === undefined
    ? "needs --access private"
    : `a search without a token was ${foundAccess === "private" ? "refused" : "answered"}; pass --access private to require a refusal`;
};

/**
 * Defines a rule that a search with a bad credential gets no matches on a private target. The form of the refusal is
 * unspecified, so only matches fail the rule. The absence of matches is evidence only if the same search has matches
 * with a valid credential.
 */
const searchIsRefused = ({
  id,
  credentials,
  description,
  descriptions = {},
  needs,
  excludes = notPrivate,
}: RefusalRule): ExchangeRule =>
  defineExchangeRule({
    id,
    excludes,
    check(exchanges, reportFor) {
      const finds = new Set(
        exchanges.filter((exchange) => hasValidToken(exchange) && hasMatches(exchange)).map(sameSearch),
      );
      const sent = credentials.flatMap((credential) => withCredential(exchanges, credential));
      if (sent.length === 0 && needs !== undefined) {
        reportFor("").blocked({ kind: "prerequisite", missing: needs });
      }
      const blockedBy = sent.some((exchange) => hasMatches(exchange))
        ? undefined
        : blockedByUnusableResponses(sent, `the search ${description}`);
      if (blockedBy !== undefined) {
        reportFor("").blocked(blockedBy);
      }
      for (const exchange of sent) {
        const report = reportFor(exchange.record.id);
        if (hasMatches(exchange)) {
          report.observation();
          report.violation({
            message: `a search ${descriptions[exchange.record.credential] ?? description} returned ${exchange.stream?.matches} matches`,
          });
        } else if (isUsable(exchange) && finds.has(sameSearch(exchange))) {
          report.observation();
        }
      }
    },
  });

/** Only a public instance responds without authentication. Source: search-stream, section 5. */
export const missingTokenIsRefused = searchIsRefused({
  id: "stream/missing-token-is-refused",
  credentials: ["none"],
  description: "without a token",
  excludes: notDeclaredPrivate,
});

/** A token that was never issued does not authenticate. Source: search-stream, section 5. */
export const invalidTokenIsRefused = searchIsRefused({
  id: "stream/invalid-token-is-refused",
  credentials: unissuedTokens,
  description: "with a token that was never issued",
  descriptions: {
    "shortened-token": "with the beginning of a token",
    "lengthened-token": "with a token that has one character too many",
    "empty-token": "with the word `token` and no token",
  },
});

/**
 * A public instance responds without authentication: it refuses no search, and runs every search that it runs with a
 * token. Source: search-stream, section 5.
 */
export const anonymousSearchIsAccepted = defineExchangeRule({
  id: "stream/anonymous-search-is-accepted",
  excludes: ({ access }) => (access === "public" ? undefined : "needs --access public"),
  check(exchanges, reportFor) {
    const working = new Set(
      exchanges.filter((exchange) => hasValidToken(exchange) && isSearched(exchange)).map(sameSearch),
    );
    for (const exchange of withCredential(exchanges, "none").filter((exchange) => isUsable(exchange))) {
      const report = reportFor(exchange.record.id);
      const isRefused = isRefusedOrRedirected(exchange) || (working.has(sameSearch(exchange)) && !isSearched(exchange));
      report.observation(Number(isRefused || isSearched(exchange)));
      if (isRefused) {
        report.violation({ message: `a search without a token was not accepted: ${describeResponse(exchange)}` });
      }
    }
  },
});

/** Both kinds of token need the scope `user:all`. Source: search-stream, section 5. */
export const scopeIsRequired = searchIsRefused({
  id: "stream/scope-is-required",
  credentials: ["unscoped-token", "unscoped-oauth-token"],
  description: "with a token that lacks the scope",
  needs: "no search with a token that lacks the scope (set ASSAY_UNSCOPED_TOKEN or ASSAY_UNSCOPED_OAUTH_TOKEN)",
});
