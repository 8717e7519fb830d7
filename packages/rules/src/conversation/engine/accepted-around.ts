import { isRead } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { clientOf, isNamedClient } from "../../engine/client-of.ts";

/** The successes of one client for one conversation, or for one request without a conversation. */
interface Accepted {
  /** End of the first success. */
  readonly firstEndedAtMicros: number;
  /** Sending time of the last request whose response shows that it still exists. */
  readonly lastSentAtMicros: number;
  /** Whether the client changed it, which a read-only token cannot. */
  readonly hasWritten: boolean;
}

/** Key of calls of one client about one conversation. Calls about none are equal if they send the same. */
function callKey(call: ConversationCall, conversation = call.asked.conversation): string {
  const { operation, record } = call;
  const what = conversation === undefined ? [operation, record.request.url, record.request.body] : [conversation];
  return JSON.stringify([call.interface, clientOf(call), ...what]);
}

const indexes = new WeakMap<ConversationEvidence, ReadonlyMap<string, Accepted>>();

/** The keys of a success. A creation also counts for the conversation that it created. */
function keysOf(call: ConversationCall): readonly string[] {
  const created = call.operation === "create" ? conversationView(call)?.id : undefined;
  return [callKey(call), ...(created === undefined ? [] : [callKey(call, created)])];
}

/** Whether a response shows that the requested conversation exists. */
const isShown = (call: ConversationCall): boolean =>
  call.asked.conversation === undefined || conversationView(call)?.id === call.asked.conversation;

function collect({ calls }: ConversationEvidence): ReadonlyMap<string, Accepted> {
  const index = new Map<string, Accepted>();
  for (const call of calls.filter(({ answer, operation }) => answer.kind === "success" && operation !== "delete")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const shownAtMicros = isShown(call) ? sentAtMicros : -Infinity;
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
 * Whether a recording shows that a call with an unknown credential should have been accepted: the same client was
 * accepted for the same conversation before the call was sent and after its response. If the recording does not
 * identify the senders, all calls about one conversation count as one client; calls about none are not judged.
 */
export function isAcceptedAround(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const index = indexes.get(evidence) ?? collect(evidence);
  indexes.set(evidence, index);
  const accepted = index.get(callKey(call));
  return (
    accepted !== undefined &&
    (call.asked.conversation !== undefined || isNamedClient(call)) &&
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
 * Key of calls of one client that need the same scope. The scopes of the current interface distinguish reading from
 * writing.
 */
const tokenKeyOf = (call: ConversationCall): string =>
  JSON.stringify([call.interface, clientOf(call), call.interface === "legacy" || isRead(call)]);

function signedInSpans({ calls }: ConversationEvidence): ReadonlyMap<string, readonly [number, number]> {
  const spans = new Map<string, readonly [number, number]>();
  for (const call of calls.filter(({ answer }) => answer.kind === "success")) {
    const { sentAtMicros, endedAtMicros } = call.record.times;
    const [firstEnd, lastSent] = spans.get(tokenKeyOf(call)) ?? [Infinity, -Infinity];
    spans.set(tokenKeyOf(call), [Math.min(firstEnd, endedAtMicros), Math.max(lastSent, sentAtMicros)]);
  }
  return spans;
}

/**
 * Whether a recording shows that the credential of a call was valid: any call of the same client was accepted before
 * this one was sent and after its response. Such a call must not get 401.
 */
export function isSignedInAround(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const spans = signedIn.get(evidence) ?? signedInSpans(evidence);
  signedIn.set(evidence, spans);
  const [firstEnd, lastSent] = spans.get(tokenKeyOf(call)) ?? [Infinity, -Infinity];
  const { sentAtMicros, endedAtMicros } = call.record.times;
  return isNamedClient(call) && firstEnd <= sentAtMicros && lastSent >= endedAtMicros;
}
