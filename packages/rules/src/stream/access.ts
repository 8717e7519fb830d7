import type { RuleId } from "@assay/contract";
import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import {
  hasMatches,
  hasValidToken,
  didSearchRun,
  isUsable,
  isRefusedOrRedirected,
  blockedByUnusableResponses,
  describeResponse,
  withCredential,
} from "../engine/answer.ts";
import { acceptedTokenPrerequisite } from "../engine/reporter.ts";
import { defineExchangeRule } from "../engine/rule.ts";
import type { AccessFacts, ExchangeRule } from "../engine/rule.ts";
import { parameterKey } from "../engine/search-query.ts";

interface TokenRule {
  readonly id: RuleId;
  readonly credential: CredentialKind;
  /** The name of the token, and the variable that provides it. */
  readonly name: string;
  readonly variable: string;
}

/**
 * Defines a rule that a search with a token of one scheme succeeds. A refusal is a violation only if the same search
 * succeeds with some token. Otherwise the tokens may be wrong, or the query may fail with any token.
 */
const defineTokenRule = ({ id, credential, name, variable }: TokenRule): ExchangeRule =>
  defineExchangeRule({
    id,
    check(exchanges, reportFor) {
      const tokenSearches = withCredential(exchanges, credential);
      const workingSearches = new Set(
        exchanges.filter((exchange) => hasValidToken(exchange) && didSearchRun(exchange)).map(parameterKey),
      );
      const judgedSearches = tokenSearches.filter(
        (exchange) => isUsable(exchange) && workingSearches.has(parameterKey(exchange)),
      );
      if (judgedSearches.length === 0) {
        const noSearch = `no search with an ${name} (set ${variable})`;
        const missing = tokenSearches.length === 0 ? noSearch : acceptedTokenPrerequisite;
        const blockedBy = blockedByUnusableResponses(tokenSearches, `the search with an ${name}`);
        reportFor("").blocked(blockedBy ?? { kind: "prerequisite", missing });
      }
      for (const exchange of judgedSearches) {
        const report = reportFor(exchange.record.id);
        report.observation();
        if (!didSearchRun(exchange)) {
          report.violation({ message: `the ${name} was not accepted: ${describeResponse(exchange)}` });
        }
      }
    },
  });

/** `Authorization: token <ACCESS_TOKEN>`. Source: search-stream, section 5. */
export const accessTokenIsAccepted = defineTokenRule({
  id: "stream/access-token-is-accepted",
  credential: "access-token",
  name: "access token",
  variable: "ASSAY_TOKEN",
});

/** `Authorization: Bearer <OAUTH_TOKEN>`. Source: search-stream, section 5. */
export const oauthTokenIsAccepted = defineTokenRule({
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
  readonly missingPrerequisite?: string;
  readonly exclusionReason?: ExchangeRule["exclusionReason"];
}

const publicTargetReason = "the target is public";

/** Excludes targets that neither were declared private nor refused a search without a token. */
const reasonIfNotPrivate = ({ access, foundAccess }: AccessFacts): string | undefined => {
  const knownAccess = access === "undeclared" ? foundAccess : access;
  return knownAccess === "private"
    ? undefined
    : knownAccess === "public"
      ? publicTargetReason
      : "needs --access private";
};

/**
 * Excludes targets that were not declared private. Without a declaration, Assay detects the access from the responses
 * to searches without a token, so those responses cannot contradict it.
 */
const reasonIfNotDeclaredPrivate = ({ access, foundAccess }: AccessFacts): string | undefined => {
  if (access !== "undeclared") {
    return access === "private" ? undefined : publicTargetReason;
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
const defineRefusalRule = ({
  id,
  credentials,
  description,
  descriptions = {},
  missingPrerequisite,
  exclusionReason = reasonIfNotPrivate,
}: RefusalRule): ExchangeRule =>
  defineExchangeRule({
    id,
    exclusionReason,
    check(exchanges, reportFor) {
      const searchesWithMatches = new Set(
        exchanges.filter((exchange) => hasValidToken(exchange) && hasMatches(exchange)).map(parameterKey),
      );
      const searches = credentials.flatMap((credential) => withCredential(exchanges, credential));
      if (searches.length === 0 && missingPrerequisite !== undefined) {
        reportFor("").blocked({ kind: "prerequisite", missing: missingPrerequisite });
      }
      const blockedBy = searches.some((exchange) => hasMatches(exchange))
        ? undefined
        : blockedByUnusableResponses(searches, `the search ${description}`);
      if (blockedBy !== undefined) {
        reportFor("").blocked(blockedBy);
      }
      for (const exchange of searches) {
        const report = reportFor(exchange.record.id);
        if (hasMatches(exchange)) {
          report.observation();
          report.violation({
            message: `a search ${descriptions[exchange.record.credential] ?? description} returned ${exchange.stream?.matches} matches`,
          });
        } else if (isUsable(exchange) && searchesWithMatches.has(parameterKey(exchange))) {
          report.observation();
        }
      }
    },
  });

/** Only a public instance responds without authentication. Source: search-stream, section 5. */
export const missingTokenIsRefused = defineRefusalRule({
  id: "stream/missing-token-is-refused",
  credentials: ["none"],
  description: "without a token",
  exclusionReason: reasonIfNotDeclaredPrivate,
});

/** A token that was never issued does not authenticate. Source: search-stream, section 5. */
export const invalidTokenIsRefused = defineRefusalRule({
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
  exclusionReason: ({ access }) => (access === "public" ? undefined : "needs --access public"),
  check(exchanges, reportFor) {
    const workingSearches = new Set(
      exchanges.filter((exchange) => hasValidToken(exchange) && didSearchRun(exchange)).map(parameterKey),
    );
    for (const exchange of withCredential(exchanges, "none").filter((candidate) => isUsable(candidate))) {
      const report = reportFor(exchange.record.id);
      const isRefused =
        isRefusedOrRedirected(exchange) || (workingSearches.has(parameterKey(exchange)) && !didSearchRun(exchange));
      report.observation(Number(isRefused || didSearchRun(exchange)));
      if (isRefused) {
        report.violation({ message: `a search without a token was not accepted: ${describeResponse(exchange)}` });
      }
    }
  },
});

/** Both kinds of token need the scope `user:all`. Source: search-stream, section 5. */
export const scopeIsRequired = defineRefusalRule({
  id: "stream/scope-is-required",
  credentials: ["unscoped-token", "unscoped-oauth-token"],
  description: "with a token that lacks the scope",
  missingPrerequisite:
    "no search with a token that lacks the scope (set ASSAY_UNSCOPED_TOKEN or ASSAY_UNSCOPED_OAUTH_TOKEN)",
});
