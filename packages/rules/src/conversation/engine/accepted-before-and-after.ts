import { cachePerObject } from "../../engine/cache-per-object.ts";
import { isRead } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { identifyClient, hasKnownClient } from "../../engine/identify-client.ts";

/** The successful calls of one client for one conversation, or for one request without a conversation. */
interface AcceptedCalls {
  /** End of the first successful call. */
  readonly firstEndedAtMicros: number;
  /** Sending time of the last request whose response shows that the conversation still exists. */
  readonly lastSentAtMicros: number;
  /** Whether the client has changed the conversation. A read-only token cannot. */
  readonly hasWritten: boolean;
}

/**
 * Returns the key shared by calls of one client for one conversation. Calls without a conversation share a key if they
 * send the same request.
 */
function toConversationKey(call: ConversationCall, conversationId = call.request.conversationId): string {
  const { operation, record } = call;
  const subject =
    conversationId === undefined ? [operation, record.request.url, record.request.body] : [conversationId];
  return JSON.stringify([call.interface, identifyClient(call), ...subject]);
}

/** Returns the keys of a successful call. A creation also has the key of the conversation that it created. Cached. */
const toConversationKeys = cachePerObject((call: ConversationCall): readonly [string, ...string[]] => {
  const createdId = call.operation === "create" ? conversationView(call)?.id : undefined;
  return [toConversationKey(call), ...(createdId === undefined ? [] : [toConversationKey(call, createdId)])];
});

/** Reports whether the response shows that the requested conversation exists. */
const showsConversation = (call: ConversationCall): boolean =>
  call.request.conversationId === undefined || conversationView(call)?.id === call.request.conversationId;

const indexAcceptedCalls = cachePerObject(({ calls }: ConversationEvidence): ReadonlyMap<string, AcceptedCalls> => {
  const index = new Map<string, AcceptedCalls>();
  for (const call of calls.filter(({ response, operation }) => response.kind === "success" && operation !== "delete")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const existedAtMicros = showsConversation(call) ? sentAtMicros : -Infinity;
    for (const key of toConversationKeys(call)) {
      const previous = index.get(key);
      index.set(key, {
        firstEndedAtMicros: Math.min(previous?.firstEndedAtMicros ?? Infinity, endedAtMicros),
        lastSentAtMicros: Math.max(previous?.lastSentAtMicros ?? -Infinity, existedAtMicros),
        hasWritten: previous?.hasWritten === true || !isRead(call),
      });
    }
  }
  return index;
});

/**
 * Reports whether a call with an unknown credential should have been accepted. This is so if the same client was
 * accepted for the same conversation before the call was sent and after its response. If the recording does not
 * identify clients, all calls for one conversation are treated as one client, and calls without a conversation are not
 * judged.
 */
export function wasAcceptedBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const acceptedCalls = indexAcceptedCalls(evidence).get(toConversationKeys(call)[0]);
  return (
    acceptedCalls !== undefined &&
    (call.request.conversationId !== undefined || hasKnownClient(call)) &&
    (acceptedCalls.hasWritten || isRead(call)) &&
    acceptedCalls.firstEndedAtMicros <= call.record.times.sentAtMicros &&
    acceptedCalls.lastSentAtMicros >= call.record.times.endedAtMicros
  );
}

/**
 * Returns the key shared by calls of one client that need the same scope. The current interface has separate scopes for
 * reading and writing. Cached.
 */
const toScopeKey = cachePerObject((call: ConversationCall): string =>
  JSON.stringify([call.interface, identifyClient(call), call.interface === "legacy" || isRead(call)]),
);

const findSignedInSpans = cachePerObject(({ calls }: ConversationEvidence) => {
  const spans = new Map<string, readonly [firstEndMicros: number, lastSentMicros: number]>();
  for (const call of calls.filter(({ response }) => response.kind === "success")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const [firstEndMicros, lastSentMicros] = spans.get(toScopeKey(call)) ?? [Infinity, -Infinity];
    spans.set(toScopeKey(call), [Math.min(firstEndMicros, endedAtMicros), Math.max(lastSentMicros, sentAtMicros)]);
  }
  return spans;
});

/**
 * Reports whether the credential of a call was valid: another call of the same client was accepted before this one was
 * sent and after its response. Such a call must not get 401.
 */
export function wasSignedInBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const [firstEndMicros, lastSentMicros] = findSignedInSpans(evidence).get(toScopeKey(call)) ?? [Infinity, -Infinity];
  const { sentAtMicros, endedAtMicros } = call.record.times;
  return hasKnownClient(call) && firstEndMicros <= sentAtMicros && lastSentMicros >= endedAtMicros;
}
