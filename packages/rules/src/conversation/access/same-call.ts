import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import { pageParameters } from "../lists/list-page.ts";
import { progressBefore } from "../engine/progress.ts";
import { mayDoEverything } from "../engine/users.ts";

/**
 * What two calls have in common that differ in who asks: interface and operation, of a read the conversation, of a list the
 * cursor, which a target may refuse whoever asks.
 */
export const sameCall = ({ interface: name, operation, asked }: ConversationCall): string => {
  const cursor = operation === "list" ? asked.parameters.get(pageParameters[name].cursor) : undefined;
  return [name, operation, operation === "get" ? (asked.conversation ?? "") : (cursor ?? "")].join(" ");
};

/** Calls of a good form that succeeded with a credential that may do everything. */
export const fullCalls = ({ calls }: ConversationEvidence): readonly ConversationCall[] =>
  calls.filter(
    ({ answer, asked, record }) => answer.kind === "success" && asked.hasGoodForm && mayDoEverything(record.credential),
  );

/** What such calls have in common with others. Where a call has no such counterpart, its refusal says nothing about who asked. */
export const workingCalls = (evidence: ConversationEvidence): ReadonlySet<string> =>
  new Set(fullCalls(evidence).map(sameCall));

/**
 * Whether a call would have been accepted of whoever may send it. A question can only be cancelled while it is processing:
 * then alone a refusal is one of who asked.
 */
export function isPossible(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const own = existingConversation(evidence, call);
  return call.operation !== "cancel" || (own !== undefined && progressBefore(own, call) === "processing");
}

/** Whether the run itself used an interface; of recordings made elsewhere nobody knows who asked. */
export const isInUse = ({ calls }: ConversationEvidence, name: ConversationInterface): boolean =>
  calls.some((call) => call.interface === name && call.record.credential !== "unknown");
