import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { identifyClient, hasKnownClient } from "../../engine/identify-client.ts";

/** The successful calls of one client for one conversation, or for one request without a conversation. */
interface Accepted {
  /** End of the first successful call. */
  readonly firstEndedAtMicros: number;
  /** Sending time of the last request whose response shows that the conversation still exists. */
  readonly lastSentAtMicros: number;
  /** Whether the client has changed the conversation. A read-only token cannot. */
  readonly hasWritten: boolean;
}

/**
 * The key shared by calls of one client for one conversation. Calls without a conversation share a key if they send the
 * same request.
 */
function keyOf(call: ConversationCall, conversationId = call.request.conversationId): string {
  const { operation, record } = call;
  const subject =
    conversationId === undefined ? [operation, record.request.url, record.request.body] : [conversationId];
  return JSON.stringify([call.interface, identifyClient(call), ...subject]);
}

const indexes = new WeakMap<ConversationEvidence, ReadonlyMap<string, Accepted>>();

/** The keys of a successful call. A creation also has the key of the conversation that it created. */
function keysOf(call: ConversationCall): readonly string[] {
  const created = call.operation === "create" ? conversationView(call)?.id : undefined;
  return [keyOf(call), ...(created === undefined ? [] : [keyOf(call, created)])];
}

/** Reports whether the response shows that the requested conversation exists. */
const showsConversation = (call: ConversationCall): boolean =>
  call.request.conversationId === undefined || conversationView(call)?.id === call.request.conversationId;

const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

function collect({ calls }: ConversationEvidence): ReadonlyMap<string, Accepted> {
  const index = new Map<string, Accepted>();
  for (const call of calls.filter(({ response, operation }) => response.kind === "success" && operation !== "delete")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const shownAtMicros = showsConversation(call) ? sentAtMicros : -Infinity;
    for (const key of keysOf(call)) {
      const before = index.get(key);
      index.set(key, {
        firstEndedAtMicros: Math.min(before?.firstEndedAtMicros ?? Infinity, endedAtMicros),
        lastSentAtMicros: Math.max(before?.lastSentAtMicros ?? -Infinity, shownAtMicros),
        hasWritten: before?.hasWritten === true || !isRead(call),
      });
    }
  }
  return index;
}

/**
 * Reports whether a call with an unknown credential should have been accepted. This is so if the same client was
 * accepted for the same conversation before the call was sent and after its response. If the recording does not
 * identify clients, all calls for one conversation are treated as one client, and calls without a conversation are not
 * judged.
 */
export function wasAcceptedBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const index = indexes.get(evidence) ?? collect(evidence);
  indexes.set(evidence, index);
  const accepted = index.get(keyOf(call));
  return (
    accepted !== undefined &&
    (call.request.conversationId !== undefined || hasKnownClient(call)) &&
    (accepted.hasWritten || isRead(call)) &&
    accepted.firstEndedAtMicros <= call.record.times.sentAtMicros &&
    accepted.lastSentAtMicros >= call.record.times.endedAtMicros
  );
}

const signedIn = new WeakMap<
  ConversationEvidence,
  ReadonlyMap<string, readonly [firstEnd: number, lastSent: number]>
>();

/**
 * The key shared by calls of one client that need the same scope. The current interface has separate scopes for reading
 * and writing.
 */
const tokenKeyOf = (call: ConversationCall): string =>
  JSON.stringify([call.interface, identifyClient(call), call.interface === "legacy" || isRead(call)]);

function signedInSpans({ calls }: ConversationEvidence): ReadonlyMap<string, readonly [number, number]> {
  const spans = new Map<string, readonly [number, number]>();
  for (const call of calls.filter(({ response }) => response.kind === "success")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const [firstEnd, lastSent] = spans.get(tokenKeyOf(call)) ?? [Infinity, -Infinity];
    spans.set(tokenKeyOf(call), [Math.min(firstEnd, endedAtMicros), Math.max(lastSent, sentAtMicros)]);
  }
  return spans;
}

/**
 * Reports whether the credential of a call was valid: another call of the same client was accepted before this one was
 * sent and after its response. Such a call must not get 401.
 */
export function wasSignedInBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const spans = signedIn.get(evidence) ?? signedInSpans(evidence);
  signedIn.set(evidence, spans);
  const [firstEnd, lastSent] = spans.get(tokenKeyOf(call)) ?? [Infinity, -Infinity];
  const { sentAtMicros, endedAtMicros } = call.record.times;
  return hasKnownClient(call) && firstEnd <= sentAtMicros && lastSent >= endedAtMicros;
}
