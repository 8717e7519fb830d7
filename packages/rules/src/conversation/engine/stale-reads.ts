import { deletionPatienceMs } from "@assay/contract";
import { instantOf } from "@assay/state-machine";
import { mayHaveHappened } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { ownConversations } from "./own-conversations.ts";
import type { OwnConversation } from "./own-conversations.ts";
import { shownProgress } from "./progress.ts";

/** The calls that name one conversation. Compared by identity, because results are cached for it. */
type Called = Pick<OwnConversation, "calls">;

/** Latest update time of a conversation or its questions in a response; microseconds. */
function stampOf(call: ConversationCall): number | undefined {
  const view = conversationView(call);
  const stamps = [view, ...(view?.questions ?? [])]
    .map((each) => instantOf(each?.updatedAt ?? "").micros)
    .filter((micros) => !Number.isNaN(micros));
  return stamps.length === 0 ? undefined : Math.max(...stamps);
}

/** A response with a conversation, with the newest update time of all responses that ended by then. */
interface Shown {
  readonly call: ConversationCall;
  readonly endedAtMicros: number;
  readonly newest: number;
}

const known = new WeakMap<Called, Map<ConversationInterface, readonly Shown[]>>();

/** Responses of one interface with a conversation, ordered by their ends; computed once. */
function shownIn(own: Called, name: ConversationInterface): readonly Shown[] {
  const ofOwn = known.get(own) ?? new Map<ConversationInterface, readonly Shown[]>();
  known.set(own, ofOwn);
  const shown = ofOwn.get(name) ?? collect(own, name);
  ofOwn.set(name, shown);
  return shown;
}

function collect({ calls }: Called, name: ConversationInterface): readonly Shown[] {
  let newest = Number.NEGATIVE_INFINITY;
  return calls
    .filter((call) => call.interface === name && conversationView(call) !== undefined)
    .toSorted((one, other) => one.record.times.endedAtMicros - other.record.times.endedAtMicros)
    .map((call) => {
      newest = Math.max(newest, stampOf(call) ?? newest);
      return { call, endedAtMicros: call.record.times.endedAtMicros, newest };
    });
}

/** Whether a request between two responses may have changed the conversation. */
const isChangedBetween = ({ calls }: Called, seen: ConversationCall, read: ConversationCall): boolean =>
  calls.some(
    (call) =>
      call !== seen &&
      call.operation !== "get" &&
      mayHaveHappened(call) &&
      call.record.times.endedAtMicros > seen.record.times.sentAtMicros &&
      call.record.times.sentAtMicros < read.record.times.endedAtMicros,
  );

/**
 * Whether a read shows fewer questions than an earlier response, or processing after the end, without a change in
 * between.
 */
function showsLess(own: Called, read: ConversationCall, seen: ConversationCall): boolean {
  const [shown, before] = [read, seen].map((call) => conversationView(call)?.questions.length ?? 0);
  const isBack = shown === before && shownProgress(seen) === "finished" && shownProgress(read) === "processing";
  return ((shown ?? 0) < (before ?? 0) || isBack) && !isChangedBetween(own, seen, read);
}

/**
 * The first response for which `holds` is true, and its index. It must be true for all later ones too, as it is for
 * ends and newest update times. Binary search: a recording may have many thousand responses.
 */
function firstOf(shown: readonly Shown[], holds: (one: Shown) => boolean): readonly [index: number, found?: Shown] {
  let [from, to] = [0, shown.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const one = shown[middle];
    [from, to] = one !== undefined && holds(one) ? [from, middle] : [middle + 1, to];
  }
  const found = shown[from];
  return found === undefined ? [from] : [from, found];
}

/** The last response that had ended at a time. */
const lastEnded = (shown: readonly Shown[], atMicros: number): Shown | undefined =>
  shown[firstOf(shown, ({ endedAtMicros }) => endedAtMicros > atMicros)[0] - 1];

/** The first response that ended before a read was sent and has a newer update time; undefined if there is none. */
function newerStamp(own: Called, read: ConversationCall): Shown | undefined {
  const stamp = stampOf(read);
  const newer = stamp === undefined ? undefined : shownIn(own, read.interface).find(({ newest }) => newest > stamp);
  return newer !== undefined && newer.endedAtMicros <= read.record.times.sentAtMicros ? newer : undefined;
}

/**
 * Whether a read shows an older version of a conversation than an earlier response: an older update time, fewer
 * questions, or `processing` after the end. A lagging replica does so for a while.
 */
export function isStale(own: Called, read: ConversationCall): boolean {
  const { sentAtMicros } = read.record.times;
  const last = shownIn(own, read.interface).findLast(({ endedAtMicros }) => endedAtMicros <= sentAtMicros);
  return newerStamp(own, read) !== undefined || (last !== undefined && showsLess(own, read, last.call));
}

/** Whether a read is sent so long after a write that no replica may lag any more. */
const isLongAfter = (write: ConversationCall, read: ConversationCall): boolean =>
  read.record.times.sentAtMicros - write.record.times.endedAtMicros >= deletionPatienceMs * 1000;

/**
 * Whether a read without a write is evidence that the write had no effect: its update time is newer than all before
 * the write, or five seconds have passed. Until then a replica may lag.
 */
export function isReadBack(own: Called, write: ConversationCall, read: ConversationCall): boolean {
  const { sentAtMicros } = write.record.times;
  if (isLongAfter(write, read)) {
    return true;
  }
  const before = lastEnded(shownIn(own, read.interface), sentAtMicros);
  return (
    (stampOf(read) ?? Number.NEGATIVE_INFINITY) > (before?.newest ?? Number.POSITIVE_INFINITY) && !isStale(own, read)
  );
}

const lags = new WeakMap<ConversationEvidence, ReadonlyMap<string, number>>();

/** Key of a session of an interface; each may be served by another replica. */
const readerOf = ({ interface: name, record }: ConversationCall): string =>
  `${name} ${record.session ?? record.credential}`;

/**
 * Observed lag of reads like this one, in microseconds: twice the maximum time after a response at which a read of
 * the same session was sent that has an older update time. Twice, because reads are some time apart. Longer than five
 * seconds is not a lag. Computed once.
 */
export function observedLagMicros(evidence: ConversationEvidence, read: ConversationCall): number {
  const ofEvidence = lags.get(evidence) ?? lagsIn(evidence);
  lags.set(evidence, ofEvidence);
  return 2 * (ofEvidence.get(readerOf(read)) ?? 0);
}

function lagsIn(evidence: ConversationEvidence): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const own of ownConversations(evidence)) {
    for (const call of own.calls.filter(({ operation }) => operation === "get")) {
      const newer = newerStamp(own, call);
      const lag = newer === undefined ? 0 : call.record.times.sentAtMicros - newer.endedAtMicros;
      const key = readerOf(call);
      longest.set(key, Math.max(longest.get(key) ?? 0, lag < deletionPatienceMs * 1000 ? lag : 0));
    }
  }
  return longest;
}
