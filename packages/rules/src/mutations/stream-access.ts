import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind, RecordedExchange } from "@assay/evidence";
import { member } from "@assay/reading";
import { withResponseOf, editEachAndAll, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import type { ProofEvidence, EditableSearch } from "./proof-evidence.ts";

const isSentWith =
  (...credentials: readonly CredentialKind[]) =>
  (exchange: RecordedExchange): boolean =>
    credentials.includes(exchange.record.credential);

const urlOf = ({ record }: RecordedExchange): string => record.request.url;

const hasMatches = ({ events }: EditableSearch): boolean =>
  events().some(({ event }) => event.name === "matches" && Array.isArray(event.value) && event.value.length > 0);

/** Returns the searches with one of the credentials, regardless of the response. */
const findSearchesWith = ({ searches, searchesWithoutStream }: ProofEvidence, credentials: readonly CredentialKind[]) =>
  [...searches.map(({ exchange }) => exchange), ...searchesWithoutStream].filter(isSentWith(...credentials));

/** Gives a search that should be refused the response of the same search with a token. */
const acceptedRefusalMutation = (credentials: readonly CredentialKind[], label: string): Mutation => ({
  name: `accepts searches ${label}`,
  needs: `a search ${label} that finds something with a token`,
  *edits(evidence) {
    for (const exchange of findSearchesWith(evidence, credentials)) {
      for (const { exchange: other } of evidence.searches.filter(
        (search) =>
          isSentWith("access-token", "oauth-token")(search.exchange) && urlOf(search.exchange) === urlOf(exchange),
      )) {
        yield { effect: `accepted a search ${label}`, replacements: [withResponseOf(exchange, other)] };
      }
    }
  },
});

/** Refuses a search with a valid token. */
const refusedTokenMutations = (credential: CredentialKind, name: string): readonly Mutation[] => [
  {
    name: `refuses ${name}`,
    needs: `two accepted searches for the same, one with ${name}`,
    removesObservations: "all",
    edits: ({ searches }) =>
      editEachAndAll(
        `refused a search with ${name} with 401`,
        searches
          .filter((search) => isSentWith(credential)(search.exchange))
          .map(({ exchange }) => withStatus(exchange, 401)),
      ),
  },
  {
    name: `responds to a search with ${name} with only alerts`,
    needs: `two accepted searches for the same, one with ${name}, and a search whose response has an alert`,
    isOptional: true,
    *edits({ searches }) {
      const problem = searches.find(
        ({ events }) => !events().some(({ event }) => member(event.value, "done") === true),
      );
      for (const { exchange } of searches.filter(
        (search) => isSentWith(credential)(search.exchange) && hasMatches(search),
      )) {
        if (problem !== undefined) {
          yield {
            effect: `responded to a search with ${name} with an alert`,
            replacements: [withResponseOf(exchange, problem.exchange)],
          };
        }
      }
    },
  },
];

/** Mutations for the rules about access to searches. */
export const streamAccessMutations = {
  "stream/access-token-is-accepted": refusedTokenMutations("access-token", "an access token"),
  "stream/oauth-token-is-accepted": refusedTokenMutations("oauth-token", "an OAuth token"),
  "stream/missing-token-is-refused": [acceptedRefusalMutation(["none"], "without a token")],
  "stream/invalid-token-is-refused": [
    acceptedRefusalMutation(["invalid-token", "invalid-oauth-token"], "with a token that was never issued"),
    ...unissuedTokens.map((credential) => ({
      ...acceptedRefusalMutation([credential], `with the credential \`${credential}\``),
      isOptional: true as const,
    })),
  ],
  "stream/anonymous-search-is-accepted": [
    {
      name: "refuses searches without a token",
      needs: "an accepted search without a token",
      *edits({ searches }) {
        for (const { exchange } of searches.filter((search) => isSentWith("none")(search.exchange))) {
          yield { effect: "refused a search without a token with 401", replacements: [withStatus(exchange, 401)] };
        }
      },
    },
  ],
  "stream/scope-is-required": [
    acceptedRefusalMutation(["unscoped-token", "unscoped-oauth-token"], "with a token that lacks the scope"),
  ],
} satisfies MutationsByRule;
