import { searchParameters } from "@assay/contract";
import { type AccessDecision, type CredentialKind, refusals } from "../access.ts";
import type { Fault, FaultEffect } from "./fault.ts";

/** Decides otherwise about one kind of credential. */
const decideOtherwise = (credential: CredentialKind, otherwise: AccessDecision): FaultEffect => ({
  layer: "access",
  apply: (decision, request, run) => {
    if (request.credential !== credential || decision.allowed === otherwise.allowed) {
      return decision;
    }
    run.applied();
    return otherwise;
  },
});

/** Faults in who may search and which parameters are taken. */
export const requestFaults: readonly Fault[] = [
  {
    id: "access-token-refused",
    title: "access tokens are refused",
    description: "A valid access token is answered like an invalid one.",
    kind: "violation",
    attacks: "stream/access-token-is-accepted",
    ...decideOtherwise("access", refusals.invalidToken),
  },
  {
    id: "oauth-token-refused",
    title: "OAuth tokens are refused",
    description: "A valid OAuth token is answered like an invalid one.",
    kind: "violation",
    attacks: "stream/oauth-token-is-accepted",
    ...decideOtherwise("oauth", refusals.invalidToken),
  },
  {
    id: "anonymous-accepted",
    title: "anyone may search",
    description: "A search without a token is answered although the target is not public.",
    kind: "violation",
    attacks: "stream/missing-token-is-refused",
    access: "private",
    ...decideOtherwise("none", { allowed: true }),
  },
  {
    id: "any-token-accepted",
    title: "any token is accepted",
    description: "A token that was never issued is taken for a valid one.",
    kind: "violation",
    attacks: "stream/invalid-token-is-refused",
    access: "private",
    ...decideOtherwise("invalid", { allowed: true }),
  },
  {
    id: "anonymous-refused",
    title: "a public target asks for a token",
    description: "A public target refuses a search without a token.",
    kind: "violation",
    attacks: "stream/anonymous-search-is-accepted",
    access: "public",
    ...decideOtherwise("none", refusals.anonymous),
  },
  {
    id: "parameter-refused",
    title: "a documented parameter is refused",
    description: "A search that sets the parameter is answered with `error` and `done`.",
    kind: "violation",
    attacks: "stream/documented-parameters-are-accepted",
    parameters: { name: { title: "name of the parameter", default: "cm", choices: searchParameters } },
    layer: "parameters",
    apply: (checked, given, run) => {
      const { name = "" } = run.values;
      if (!given.has(String(name))) {
        return checked;
      }
      run.applied();
      return { ok: false, message: `unknown parameter ${JSON.stringify(name)}` };
    },
  },
  {
    id: "display-exceeded",
    title: "more matches than display",
    description: "The parameter `display` has no effect.",
    kind: "violation",
    attacks: "stream/display-bounds-matches",
    layer: "parameters",
    apply: (checked, _given, run) => {
      if (!checked.ok || checked.parameters.display === undefined) {
        return checked;
      }
      run.applied();
      const { display: _ignored, ...parameters } = checked.parameters;
      return { ok: true, parameters };
    },
  },
];
