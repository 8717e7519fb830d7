import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { clientOf, isNamedClient } from "../../engine/client-of.ts";

/** What one client got of one conversation, or of one request that names none. */
interface Accepted {
  /** End of the first success. */
  readonly firstEndedAtMicros: number;
  /** Sending of the last answer that shows it is still there. */
  readonly lastSentAtMicros: number;
  /** Whether the client changed it: a token for reading cannot. */
  readonly hasWritten: boolean;
}

/** Equal for calls of one client about one conversation; calls about none are equal where they send the same. */
function keyOf(call: ConversationCall, conversation = call.asked.conversation): string {
  const { operation, record } = call;
  const what = conversation === undefined ? [operation, record.request.url, record.request.body] : [conversation];
  return JSON.stringify([call.interface, clientOf(call), ...what]);
}

const indexes = new WeakMap<ConversationEvidence, ReadonlyMap<string, Accepted>>();

/** The keys under which a success counts. A creation counts for what it created, too. */
function keysOf(call: ConversationCall): readonly string[] {
  const created = call.operation === "create" ? conversationView(call)?.id : undefined;
  return [keyOf(call), ...(created === undefined ? [] : [keyOf(call, created)])];
}

/** Whether an answer shows that what was asked for is there. */
const isShown = (call: ConversationCall): boolean =>
  call.asked.conversation === undefined || conversationView(call)?.id === call.asked.conversation;

const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

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
 * Whether a recording shows that a call of a client whose credential is unknown had to be accepted: the same client was accepted
 * for the same conversation before it was sent and after it was answered. Where the recording does not show who sent the calls,
 * those about one conversation are taken for one client's; a call about none is not judged then.
 */
export function isAcceptedAround(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const index = indexes.get(evidence) ?? collect(evidence);
  indexes.set(evidence, index);
  const accepted = index.get(keyOf(call));
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

/** Equal for calls of one client that need the same of its token: the scopes of the current interface tell reading from writing. */
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
 * Whether a recording shows that the credential of a call was good: the same client was accepted, whatever it asked for, before the
 * call was sent and after it was answered. Such a call is not to be answered with 401.
 */
export function isSignedInAround(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const spans = signedIn.get(evidence) ?? signedInSpans(evidence);
  signedIn.set(evidence, spans);
  const [firstEnd, lastSent] = spans.get(tokenKeyOf(call)) ?? [Infinity, -Infinity];
  const { sentAtMicros, endedAtMicros } = call.record.times;
  return isNamedClient(call) && firstEnd <= sentAtMicros && lastSent >= endedAtMicros;
}
