import type { AccessDecision, CredentialKind, TokenLikeness } from "../access.ts";
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault, FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { credentialRefusals } from "./refusal-variants.ts";

/** Decides otherwise about one kind of credential. */
const decideOtherwise = (
  credential: CredentialKind,
  otherwise: (run: FaultRun) => AccessDecision | undefined,
): FaultEffect => ({
  layer: "access",
  apply: (decision, request, run) => {
    const other = otherwise(run);
    if (request.credential !== credential || other === undefined || decision.allowed === other.allowed) {
      return decision;
    }
    run.applied();
    return other;
  },
});

const allow = (): AccessDecision => ({ allowed: true });
const refuse = (run: FaultRun): AccessDecision | undefined => variantOf(credentialRefusals, run);

const likenesses: Variants<TokenLikeness> = { beginning: "beginning", longer: "longer", empty: "empty" };

/** Faults in who may search. */
export const accessFaults: readonly Fault[] = [
  {
    id: "access-token-refused",
    title: "access tokens are refused",
    description: "A valid access token is answered like an invalid one, or otherwise turned away.",
    kind: "violation",
    attacks: "stream/access-token-is-accepted",
    parameters: howParameter(credentialRefusals),
    ...decideOtherwise("access", refuse),
  },
  {
    id: "oauth-token-refused",
    title: "OAuth tokens are refused",
    description: "A valid OAuth token is answered like an invalid one, or otherwise turned away.",
    kind: "violation",
    attacks: "stream/oauth-token-is-accepted",
    parameters: howParameter(credentialRefusals),
    ...decideOtherwise("oauth", refuse),
  },
  {
    id: "anonymous-accepted",
    title: "anyone may search",
    description: "A search without a token is answered although the target is not public.",
    kind: "violation",
    attacks: "stream/missing-token-is-refused",
    access: "private",
    ...decideOtherwise("none", allow),
  },
  {
    id: "any-token-accepted",
    title: "any token is accepted",
    description: "A token that was never issued is taken for a valid one.",
    kind: "violation",
    attacks: "stream/invalid-token-is-refused",
    access: "private",
    ...decideOtherwise("invalid", allow),
  },
  {
    id: "like-token-accepted",
    title: "a token is accepted that is like another one",
    description:
      "The beginning of an access token is taken for it, or a longer one that begins like it, or none at all.",
    kind: "violation",
    attacks: "stream/invalid-token-is-refused",
    access: "private",
    parameters: howParameter(likenesses),
    layer: "access",
    apply: (decision, { likeness }, run) => {
      if (likeness === undefined || likeness !== variantOf(likenesses, run) || decision.allowed) {
        return decision;
      }
      run.applied();
      return allow();
    },
  },
  {
    id: "scope-ignored",
    title: "the scope of a token is ignored",
    description: "A token that lacks the scope for searching is answered like one that has it.",
    kind: "violation",
    attacks: "stream/scope-is-required",
    access: "private",
    ...decideOtherwise("no-scope", allow),
  },
  {
    id: "oauth-scope-ignored",
    title: "the scope of an OAuth token is ignored",
    description: "An OAuth token that lacks the scope for searching is answered like one that has it.",
    kind: "violation",
    attacks: "stream/scope-is-required",
    access: "private",
    ...decideOtherwise("no-scope-oauth", allow),
  },
  {
    id: "anonymous-refused",
    title: "a public target asks for a token",
    description: "A public target turns a search without a token away.",
    kind: "violation",
    attacks: "stream/anonymous-search-is-accepted",
    access: "public",
    parameters: howParameter(credentialRefusals),
    ...decideOtherwise("none", refuse),
  },
];
