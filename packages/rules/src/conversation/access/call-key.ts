import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { findExistingConversation } from "../engine/created-conversations.ts";
import { pageParameters } from "../lists/list-page.ts";
import { progressBefore } from "../engine/progress.ts";
import { hasFullAccess } from "../engine/users.ts";

/**
 * Returns the key shared by calls that differ only in the caller: interface and operation, the conversation of a read,
 * the cursor of a list. A target may refuse some cursors for every caller.
 */
export const callKey = ({ interface: interfaceName, operation, request }: ConversationCall): string => {
  const cursor = operation === "list" ? request.parameters.get(pageParameters[interfaceName].cursor) : undefined;
  return [interfaceName, operation, operation === "get" ? (request.conversationId ?? "") : (cursor ?? "")].join(" ");
};

/** Returns the successful, well-formed calls with a credential that has full access. */
export const successfulFullAccessCalls = ({ calls }: ConversationEvidence): readonly ConversationCall[] =>
  calls.filter(
    ({ response, request, record }) =>
      response.kind === "success" && request.isWellFormed && hasFullAccess(record.credential),
  );

/**
 * Returns the keys of the successful calls with full access. A call with a different key may be refused for every
 * caller.
 */
export const workingCallKeys = (evidence: ConversationEvidence): ReadonlySet<string> =>
  new Set(successfulFullAccessCalls(evidence).map(callKey));

/**
 * Reports whether a call would be accepted from an authorized caller. A question can be cancelled only while it is
 * processing, so a refusal depends on the caller only then.
 */
export function couldSucceed(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const conversation = findExistingConversation(evidence, call);
  return (
    call.operation !== "cancel" || (conversation !== undefined && progressBefore(conversation, call) === "processing")
  );
}

/** Reports whether the run itself used an interface. The callers in other recordings are unknown. */
export const isInterfaceInUse = ({ calls }: ConversationEvidence, interfaceName: ConversationInterface): boolean =>
  calls.some((call) => call.interface === interfaceName && call.record.credential !== "unknown");
