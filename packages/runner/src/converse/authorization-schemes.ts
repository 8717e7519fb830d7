import { findDefaultScheme } from "@assay/client";
import type { AuthorizationScheme } from "@assay/client";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationInterface } from "./dialect.ts";

/**
 * The authorization scheme that a run finds for each interface. The current interface's scheme is unspecified and may differ from the
 * legacy one. Source: conversation-api, section 5.
 */
export interface AuthorizationSchemes {
  /** Contains only unusual schemes. */
  readonly byInterface: Map<ConversationInterface, AuthorizationScheme>;
  /** Interfaces for which no other scheme is tried any more. */
  readonly settledInterfaces: Set<ConversationInterface>;
}

export const createAuthorizationSchemes = (): AuthorizationSchemes => ({
  byInterface: new Map(),
  settledInterfaces: new Set(),
});

/** Statuses with which a target may refuse an unexpected scheme. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403]);

const isRefused = ({ status }: Pick<Answer, "status">): boolean => refusalStatuses.has(status);

/**
 * Returns the alternative scheme of an interface for a credential. Never returns Bearer for the legacy interface, whose scheme is
 * documented.
 */
function findAlternativeScheme(
  name: ConversationInterface,
  credential: CredentialKind,
): AuthorizationScheme | undefined {
  const alternative = findDefaultScheme(credential) === "token" ? "Bearer" : "token";
  return name === "legacy" && alternative === "Bearer" ? undefined : alternative;
}

/**
 * Returns the scheme for retrying a call that was refused with the usual one. Returns undefined if the interface has answered a call
 * before. Call it with the answers to the main credential, in order.
 */
export function selectSchemeToTry(
  { settledInterfaces }: AuthorizationSchemes,
  name: ConversationInterface,
  answer: Pick<Answer, "status" | "draft">,
): AuthorizationScheme | undefined {
  if (settledInterfaces.has(name) || answer.status === 0) {
    return undefined;
  }
  settledInterfaces.add(name);
  return isRefused(answer) ? findAlternativeScheme(name, answer.draft.credential) : undefined;
}

/** Records a scheme unless the call that used it was refused. */
export function recordScheme(
  { byInterface }: AuthorizationSchemes,
  name: ConversationInterface,
  { scheme, answer }: { readonly scheme: AuthorizationScheme; readonly answer: Pick<Answer, "status"> },
): void {
  if (answer.status !== 0 && !isRefused(answer)) {
    byInterface.set(name, scheme);
  }
}
