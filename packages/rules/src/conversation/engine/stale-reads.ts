import { deletionPatienceMs } from "@assay/contract";
import { parseInstant } from "@assay/state-machine";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { ownConversations } from "./own-conversations.ts";
import type { OwnConversation } from "./own-conversations.ts";
import { progressIn } from "./progress.ts";

/** The calls for one conversation. Compared by identity, because results are cached per object. */
type Called = Pick<OwnConversation, "calls">;

/** The latest update time of the conversation or its questions in a response, in microseconds. */
function updatedAtMicros(call: ConversationCall): number | undefined {
  const view = conversationView(call);
  const stamps = [view, ...(view?.questions ?? [])]
    .map((item) => parseInstant(item?.updatedAt ?? "").micros)
    .filter((micros) => !Number.isNaN(micros));
  return stamps.length === 0 ? undefined : Math.max(...stamps);
}

/** A response that contains the conversation. */
interface Shown {
  readonly call: ConversationCall;
  readonly endedAtMicros: number;
  /** Newest update time in all responses that ended by then. */
  readonly newest: number;
}

const known = new WeakMap<Called, Map<ConversationInterface, readonly Shown[]>>();

/** Responses of one interface that contain the conversation, sorted by end. Cached. */
function shownIn(ownConversation: Called, name: ConversationInterface): readonly Shown[] {
  const ofOwn = known.get(ownConversation) ?? new Map<ConversationInterface, readonly Shown[]>();
  known.set(ownConversation, ofOwn);
  const shown = ofOwn.get(name) ?? collect(ownConversation, name);
  ofOwn.set(name, shown);
  return shown;
}

function collect({ calls }: Called, name: ConversationInterface): readonly Shown[] {
  let newest = Number.NEGATIVE_INFINITY;
  return calls
    .filter((call) => call.interface === name && conversationView(call) !== undefined)
    .toSorted((left, right) => left.record.times.endedAtMicros - right.record.times.endedAtMicros)
    .map((call) => {
      newest = Math.max(newest, updatedAtMicros(call) ?? newest);
      return { call, endedAtMicros: call.record.times.endedAtMicros, newest };
    });
}

/** Reports whether a request between two responses may have changed the conversation. */
const isChangedBetween = ({ calls }: Called, seen: ConversationCall, read: ConversationCall): boolean =>
  calls.some(
    (call) =>
      call !== seen &&
      call.operation !== "get" &&
      mayHaveTakenEffect(call) &&
      call.record.times.endedAtMicros > seen.record.times.sentAtMicros &&
      call.record.times.sentAtMicros < read.record.times.endedAtMicros,
  );

/**
 * Reports whether a read shows fewer questions than an earlier response, or shows processing after the question finished, although
 * nothing could have changed in between.
 */
function showsLess(ownConversation: Called, read: ConversationCall, seen: ConversationCall): boolean {
  const [shown, before] = [read, seen].map((call) => conversationView(call)?.questions.length ?? 0);
  const isBack = shown === before && progressIn(seen) === "finished" && progressIn(read) === "processing";
  return ((shown ?? 0) < (before ?? 0) || isBack) && !isChangedBetween(ownConversation, seen, read);
}

/**
 * Finds the first response that matches, and its index. If one response matches, all later ones must match too, which
 * is true of ends and newest update times. Uses binary search, because a recording may contain many thousand responses.
 */
function findFirst(
  shown: readonly Shown[],
  matches: (response: Shown) => boolean,
): readonly [index: number, found?: Shown] {
  let [from, to] = [0, shown.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const response = shown[middle];
    [from, to] = response !== undefined && matches(response) ? [from, middle] : [middle + 1, to];
  }
  const found = shown[from];
  return found === undefined ? [from] : [from, found];
}

/** The last response that had ended at a given time. */
const lastEnded = (shown: readonly Shown[], atMicros: number): Shown | undefined =>
  shown[findFirst(shown, ({ endedAtMicros }) => endedAtMicros > atMicros)[0] - 1];

/** The first response that ended before a read was sent and has a newer update time, or undefined. */
function newerStamp(ownConversation: Called, read: ConversationCall): Shown | undefined {
  const stamp = updatedAtMicros(read);
  const newer =
    stamp === undefined ? undefined : shownIn(ownConversation, read.interface).find(({ newest }) => newest > stamp);
  return newer !== undefined && newer.endedAtMicros <= read.record.times.sentAtMicros ? newer : undefined;
}

/**
 * Reports whether a read shows an older version of a conversation than an earlier response: an older update time, fewer
 * questions, or `processing` after the question finished. A lagging replica does this for a while.
 */
export function isStale(ownConversation: Called, read: ConversationCall): boolean {
  const { sentAtMicros } = read.record.times;
  const last = shownIn(ownConversation, read.interface).findLast(({ endedAtMicros }) => endedAtMicros <= sentAtMicros);
  return (
    newerStamp(ownConversation, read) !== undefined ||
    (last !== undefined && showsLess(ownConversation, read, last.call))
  );
}

/** Reports whether a read was sent so long after a write that replicas must have caught up. */
const isLongAfter = (write: ConversationCall, read: ConversationCall): boolean =>
  read.record.times.sentAtMicros - write.record.times.endedAtMicros >= deletionPatienceMs * 1000;

/**
 * Reports whether a read that does not show a write proves that the write had no effect. It does if its update time is
 * newer than all before the write, or if five seconds have passed. Until then a replica may lag.
 */
export function isReadBack(ownConversation: Called, write: ConversationCall, read: ConversationCall): boolean {
  const { sentAtMicros } = write.record.times;
  if (isLongAfter(write, read)) {
    return true;
  }
  const before = lastEnded(shownIn(ownConversation, read.interface), sentAtMicros);
  return (
    (updatedAtMicros(read) ?? Number.NEGATIVE_INFINITY) > (before?.newest ?? Number.POSITIVE_INFINITY) &&
    !isStale(ownConversation, read)
  );
}

const lags = new WeakMap<ConversationEvidence, ReadonlyMap<string, number>>();

/** The key of a session. Each session may be served by a different replica. */
const sessionKey = ({ interface: name, record }: ConversationCall): string =>
  `${name} ${record.session ?? record.credential}`;

/**
 * The observed lag of reads in the same session, in microseconds. Cached. It is twice the maximum time by which
 * a read with an older update time was sent after the newer response. It is doubled because reads are not continuous.
 * More than five seconds is not treated as lag.
 */
export function observedLagMicros(evidence: ConversationEvidence, read: ConversationCall): number {
  const ofEvidence = lags.get(evidence) ?? lagsIn(evidence);
  lags.set(evidence, ofEvidence);
  return 2 * (ofEvidence.get(sessionKey(read)) ?? 0);
}

function lagsIn(evidence: ConversationEvidence): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const ownConversation of ownConversations(evidence)) {
    for (const call of ownConversation.calls.filter(({ operation }) => operation === "get")) {
      const newer = newerStamp(ownConversation, call);
      const lag = newer === undefined ? 0 : call.record.times.sentAtMicros - newer.endedAtMicros;
      const key = sessionKey(call);
      longest.set(key, Math.max(longest.get(key) ?? 0, lag < deletionPatienceMs * 1000 ? lag : 0));
    }
  }
  return longest;
}
