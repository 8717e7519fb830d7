import type { AccessDecision, CredentialKind, TokenLikeness } from "../access.ts";
import { type Fault, type FaultEffect, type Variants, howParameter, variantOf, violating } from "./fault.ts";
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
  violating("stream/access-token-is-accepted", "access-token-refused")(
    "A valid access token is answered like an invalid one, or otherwise turned away.",
    decideOtherwise("access", refuse),
    howParameter(credentialRefusals),
  ),
  violating("stream/oauth-token-is-accepted", "oauth-token-refused")(
    "A valid OAuth token is answered like an invalid one, or otherwise turned away.",
    decideOtherwise("oauth", refuse),
    howParameter(credentialRefusals),
  ),
  violating(
    "stream/missing-token-is-refused",
    "anonymous-accepted",
    "private",
  )("A search without a token is answered although the target is not public.", decideOtherwise("none", allow)),
  violating(
    "stream/invalid-token-is-refused",
    "any-token-accepted",
    "private",
  )("A token that was never issued is taken for a valid one.", decideOtherwise("invalid", allow)),
  violating("stream/invalid-token-is-refused", "like-token-accepted", "private")(
    "The beginning of an access token is taken for it, or a longer one that begins like it, or none at all.",
    {
      layer: "access",
      apply: (decision, { likeness }, run) => {
        if (likeness === undefined || likeness !== variantOf(likenesses, run) || decision.allowed) {
          return decision;
        }
        run.applied();
        return allow();
      },
    },
    howParameter(likenesses),
  ),
  violating(
    "stream/scope-is-required",
    "scope-ignored",
    "private",
  )("A token that lacks the scope for searching is answered like one that has it.", decideOtherwise("no-scope", allow)),
  violating(
    "stream/scope-is-required",
    "oauth-scope-ignored",
    "private",
  )(
    "An OAuth token that lacks the scope for searching is answered like one that has it.",
    decideOtherwise("no-scope-oauth", allow),
  ),
  violating("stream/anonymous-search-is-accepted", "anonymous-refused", "public")(
    "A public target turns a search without a token away.",
    decideOtherwise("none", refuse),
    howParameter(credentialRefusals),
  ),
];
