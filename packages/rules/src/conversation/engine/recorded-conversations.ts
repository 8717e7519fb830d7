import { defined } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";

/** One conversation in one interface, with all its calls except lists. */
export interface RecordedConversation {
  /** The id in the legacy interface, the last part of the name in the current one. */
  readonly id: string;
  /** The successful call that created it, if any. */
  readonly create?: ConversationCall;
  /** Calls sorted by sending time, including the creation. */
  readonly calls: readonly ConversationCall[];
  /** The user who created it, if known. */
  readonly owner: CredentialKind | undefined;
  /** Sending time of the first deletion that was not refused. The conversation may be gone from then on. */
  readonly deletedAtMicros?: number;
}

/**
 * Groups the calls of one interface by conversation, in order of first appearance. The calls must be sorted by sending
 * time.
 */
export function groupByConversation(
  calls: readonly ConversationCall[],
  interfaceName: ConversationInterface,
): readonly RecordedConversation[] {
  const callsById = new Map<string, ConversationCall[]>();
  for (const call of calls) {
    const id = call.interface === interfaceName ? findConversationId(call) : undefined;
    if (id !== undefined) {
      const callsOfConversation = callsById.get(id) ?? [];
      callsOfConversation.push(call);
      callsById.set(id, callsOfConversation);
    }
  }
  return [...callsById].map(([id, callsOfConversation]) => toRecordedConversation(id, callsOfConversation));
}

/** Returns the id of the conversation that a call requests or creates. */
function findConversationId(call: ConversationCall): string | undefined {
  switch (call.operation) {
    case "create":
      return conversationView(call)?.id;
    case "list":
      return undefined;
    case "get":
    case "follow-up":
    case "cancel":
    case "delete":
      return call.request.conversationId;
  }
}

function toRecordedConversation(id: string, calls: readonly ConversationCall[]): RecordedConversation {
  const create = calls.find(({ operation }) => operation === "create");
  const deletion = calls.find((call) => call.operation === "delete" && mayHaveTakenEffect(call));
  const credential = create?.record.credential;
  return {
    id,
    calls,
    owner: credential === "unknown" ? undefined : credential,
    ...defined({ create }),
    ...(deletion === undefined ? {} : { deletedAtMicros: deletion.record.times.sentAtMicros }),
  };
}
