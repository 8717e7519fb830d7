import { formatValue } from "../../engine/format-value.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import { listView } from "../engine/list-view.ts";

/** Returns the ids in responses, each with the calls that returned it. */
function groupCallsByReturnedId(
  calls: readonly ConversationCall[],
): ReadonlyMap<string, ReadonlySet<ConversationCall>> {
  const callsById = new Map<string, Set<ConversationCall>>();
  for (const call of calls) {
    for (const id of [conversationView(call), ...(listView(call)?.entries ?? [])].flatMap((view) => view?.id ?? [])) {
      callsById.set(id, (callsById.get(id) ?? new Set()).add(call));
    }
  }
  return callsById;
}

/**
 * Checks that a response to a request for a conversation has the requested id, or the last part of the requested name.
 * Ids that never appear in another response, such as invented ones, are ignored.
 */
export function checkRequestedIds(
  { calls }: ConversationEvidence,
  interfaceName: ConversationInterface,
  reportFor: ReportFor,
): void {
  const callsOfInterface = calls.filter((call) => call.interface === interfaceName);
  const callsById = groupCallsByReturnedId(callsOfInterface);
  const subject = interfaceName === "legacy" ? "conversation" : "the conversation of the name ending in";
  const isKnown = (id: string, call: ConversationCall): boolean => {
    const returningCalls = callsById.get(id);
    return (
      call.record.probe === "import" ||
      (returningCalls !== undefined && returningCalls.size > (returningCalls.has(call) ? 1 : 0))
    );
  };
  for (const call of callsOfInterface) {
    const requestedId = call.request.conversationId;
    const view = conversationView(call);
    if (requestedId === undefined || view?.id === undefined || !isKnown(requestedId, call)) {
      continue;
    }
    const report = reportFor(call.record.id);
    report.observation();
    if (view.id !== requestedId) {
      report.violation({
        code: "other-conversation",
        message: `requested ${subject} ${formatValue(requestedId)}, but the response is about ${formatValue(view.id)}`,
        pointer: `${view.pointer}/${interfaceName === "legacy" ? "id" : "name"}`,
      });
    }
  }
}
