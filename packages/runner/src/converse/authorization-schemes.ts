import { usualScheme } from "@assay/client";
import type { AuthorizationScheme } from "@assay/client";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationInterface } from "./dialect.ts";

/**
 * The authorization scheme that a run finds for each interface. The scheme of the current interface is unspecified and may differ from
 * that of the legacy one. Source: conversation-api, section 5.
 */
export interface AuthorizationForms {
  /** Only schemes other than the usual ones. */
  readonly found: Map<ConversationInterface, AuthorizationScheme>;
  /** Interfaces for which no other scheme is tried any more. */
  readonly settled: Set<ConversationInterface>;
}

export const createAuthorizationForms = (): AuthorizationForms => ({ found: new Map(), settled: new Set() });

/** Statuses with which a target may refuse an unexpected scheme. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

const isRefused = ({ status }: Pick<Answer, "status">): boolean => refusals.has(status);

/** The alternative scheme of an interface for a credential. The scheme of the legacy interface is documented. */
function otherScheme(name: ConversationInterface, credential: CredentialKind): AuthorizationScheme | undefined {
  const alternative = usualScheme(credential) === "token" ? "Bearer" : "token";
  return name === "legacy" && alternative === "Bearer" ? undefined : alternative;
}

/**
 * The scheme for a retry of a call that was refused with the usual one; `undefined` if the usual one was accepted before. Call it with
 * the answers to the main credential, in order.
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
  return isRefused(answer) ? otherScheme(name, answer.draft.credential) : undefined;
}

/** Keeps a scheme if the call that used it was not refused. */
export function learnForm(
  { found }: AuthorizationForms,
  name: ConversationInterface,
  { scheme, answer }: { readonly scheme: AuthorizationScheme; readonly answer: Pick<Answer, "status"> },
): void {
  if (answer.status !== 0 && !isRefused(answer)) {
    found.set(name, scheme);
  }
}
