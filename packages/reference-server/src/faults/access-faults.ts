import { searchPath } from "@assay/contract";
import { type AccessDecision, type CredentialKind, type Refusal, refusals } from "../service/access.ts";
import {
  type EffectAt,
  type Fault,
  type Variants,
  choice,
  selectVariant,
  withSettings,
  defineViolation,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import type { AccessRequest } from "../service/ports.ts";

/** Replaces the access decision for selected requests. */
const decide = (
  isSelected: (request: AccessRequest) => boolean,
  createReplacement: (run: FaultRun) => AccessDecision,
): EffectAt<"access"> => ({
  layer: "access",
  apply: (decision, request, run) => {
    const replacementDecision = createReplacement(run);
    return isSelected(request) && decision.allowed !== replacementDecision.allowed ? replacementDecision : decision;
  },
});

const hasCredential =
  (kind: CredentialKind) =>
  ({ credential }: AccessRequest): boolean =>
    credential === kind;

const allowed = (): AccessDecision => ({ allowed: true });
const allow = (credential: CredentialKind) => decide(hasCredential(credential), allowed);

/** Refuses a search with a stream of one alert. */
export const withAlert = (title: string, description: string): Refusal => ({
  allowed: false,
  alert: { title, level: "error", description, proposedQueries: null },
});

export const redirectToSignIn: Refusal = { allowed: false, status: 302, text: "Found.", location: "/sign-in" };

/** Ways to refuse a credential. The specification does not choose one. */
const credentialRefusals: Variants<Refusal> = {
  "status-401": refusals.invalidToken,
  "status-403": refusals.missingScope,
  redirect: redirectToSignIn,
  "status-404": { allowed: false, status: 404, text: "404 page not found" },
  alert: withAlert("Sign in to search", "This search needs a sign-in that it does not have."),
};

const refuse = (credential: CredentialKind) =>
  selectVariant(credentialRefusals, (refusal) => decide(hasCredential(credential), () => refusal));

/** Faults in access to search. */
export const accessFaults: readonly Fault[] = [
  defineViolation("stream/access-token-is-accepted", "access-token-refused")(
    "A valid access token is refused, for example like an invalid one.",
    refuse("access"),
  ),
  defineViolation("stream/oauth-token-is-accepted", "oauth-token-refused")(
    "A valid OAuth token is refused, for example like an invalid one.",
    refuse("oauth"),
  ),
  defineViolation("stream/missing-token-is-refused", "anonymous-accepted")(
    "A search without a token is accepted although the target is not public.",
    allow("none"),
    "private",
  ),
  defineViolation("stream/invalid-token-is-refused", "any-token-accepted")(
    "A token that was never issued is accepted.",
    allow("invalid"),
    "private",
  ),
  defineViolation("stream/invalid-token-is-refused", "like-token-accepted")(
    "A wrong access token is accepted, for example a prefix of a valid one.",
    withSettings({ how: choice("which variant", "beginning", "longer", "empty") }, ({ how }) =>
      decide(({ mismatch }) => mismatch === how, allowed),
    ),
    "private",
  ),
  defineViolation("stream/scope-is-required", "scope-ignored")(
    "A token without the search scope is accepted.",
    allow("no-scope"),
    "private",
  ),
  defineViolation("stream/scope-is-required", "oauth-scope-ignored")(
    "An OAuth token without the search scope is accepted.",
    allow("no-scope-oauth"),
    "private",
  ),
  defineViolation("stream/anonymous-search-is-accepted", "anonymous-refused")(
    "A public target refuses a search without a token.",
    refuse("none"),
    "public",
  ),
  defineViolation("stream/access-token-is-accepted", "redirect-elsewhere")(
    "A search with a valid access token is redirected to a port of the host `localhost`.",
    withSettings({ port: { title: "the port", default: 9 } }, ({ port }) =>
      decide(hasCredential("access"), ({ queryParameters }) => ({
        allowed: false,
        status: 307,
        text: "Temporary Redirect.",
        location: `http://localhost:${port}${searchPath}?${queryParameters.toString()}`,
      })),
    ),
  ),
];
