import { usualScheme } from "@assay/client";
import type { AuthorizationScheme } from "@assay/client";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationInterface } from "./dialect.ts";

/**
 * The word before the token for each interface, as a run finds it: the form of the header is unspecified for the current
 * interface, and another one than for the legacy one may be the only one that is accepted. Source: conversation-api, section 5.
 */
export interface AuthorizationForms {
  /** Only those that are not the usual ones. */
  readonly found: Map<ConversationInterface, AuthorizationScheme>;
  /** Interfaces of which nothing more is tried. */
  readonly settled: Set<ConversationInterface>;
}

export const createAuthorizationForms = (): AuthorizationForms => ({ found: new Map(), settled: new Set() });

/** Statuses with which a target may refuse a header in a form that it does not expect. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

const isTurnedAway = ({ status }: Pick<Answer, "status">): boolean => refusals.has(status);

/** The form besides the usual one that an interface may have for a credential; the legacy one is documented. */
function otherForm(name: ConversationInterface, credential: CredentialKind): AuthorizationScheme | undefined {
  const other = usualScheme(credential) === "token" ? "Bearer" : "token";
  return name === "legacy" && other === "Bearer" ? undefined : other;
}

/**
 * The form in which a call is to be sent once more, because it was refused in the usual one and nothing was accepted in it
 * before; undefined where it is not. Is asked about the answers to the main credential, in their order.
 */
export function formToTry(
  { settled }: AuthorizationForms,
  name: ConversationInterface,
  answer: Pick<Answer, "status" | "draft">,
): AuthorizationScheme | undefined {
  if (settled.has(name) || answer.status === 0) {
    return undefined;
  }
  settled.add(name);
  return isTurnedAway(answer) ? otherForm(name, answer.draft.credential) : undefined;
}

/** Keeps a form if the call that was sent in it was not refused. */
export function learnForm(
  { found }: AuthorizationForms,
  name: ConversationInterface,
  { scheme, answer }: { readonly scheme: AuthorizationScheme; readonly answer: Pick<Answer, "status"> },
): void {
  if (answer.status !== 0 && !isTurnedAway(answer)) {
    found.set(name, scheme);
  }
}
