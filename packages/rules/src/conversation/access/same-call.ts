import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import { pageParameters } from "../lists/list-page.ts";
import { progressBefore } from "../engine/progress.ts";
import { mayDoEverything } from "../engine/users.ts";

/**
 * Key of calls that only differ in the caller: interface and operation, the conversation of a read, the cursor of a
 * list. A target may refuse some cursors for every caller.
 */
export const sameCall = ({ interface: name, operation, asked }: ConversationCall): string => {
  const cursor = operation === "list" ? asked.parameters.get(pageParameters[name].cursor) : undefined;
  return [name, operation, operation === "get" ? (asked.conversation ?? "") : (cursor ?? "")].join(" ");
};

/** Successful well-formed calls with a credential that permits everything. */
export const fullCalls = ({ calls }: ConversationEvidence): readonly ConversationCall[] =>
  calls.filter(
    ({ answer, asked, record }) => answer.kind === "success" && asked.hasGoodForm && mayDoEverything(record.credential),
  );

/** Keys of such calls. Without such a counterpart, a refusal does not depend on the caller. */
export const workingCalls = (evidence: ConversationEvidence): ReadonlySet<string> =>
  new Set(fullCalls(evidence).map(sameCall));

/**
 * Whether a call would be accepted from an authorised caller. A question can only be cancelled while it is
 * processing; only then does a refusal depend on the caller.
 */
export function isPossible(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const own = existingConversation(evidence, call);
  return call.operation !== "cancel" || (own !== undefined && progressBefore(own, call) === "processing");
}

/** Whether the run itself used an interface; the callers of other recordings are unknown. */
export const isInUse = ({ calls }: ConversationEvidence, name: ConversationInterface): boolean =>
  calls.some((call) => call.interface === name && call.record.credential !== "unknown");
