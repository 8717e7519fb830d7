import { cachePerObject } from "../../engine/cache-per-object.ts";
import { deletionPatienceMs } from "@assay/contract";
import { parseInstant } from "@assay/state-machine";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { findCreatedConversations } from "./created-conversations.ts";
import type { CreatedConversation } from "./created-conversations.ts";
import { progressIn } from "./progress.ts";

/** The calls for one conversation. Compared by identity, because results are cached per object. */
type ConversationCalls = Pick<CreatedConversation, "calls">;

/** Returns the latest update time of the conversation or its questions in a response, in microseconds. */
function findUpdateMicros(call: ConversationCall): number | undefined {
  const view = conversationView(call);
  const updateTimes = [view, ...(view?.questions ?? [])]
    .map((item) => parseInstant(item?.updatedAt ?? "").micros)
    .filter((micros) => !Number.isNaN(micros));
  return updateTimes.length === 0 ? undefined : Math.max(...updateTimes);
}

/** A response that contains the conversation. */
interface ConversationResponse {
  readonly call: ConversationCall;
  readonly endedAtMicros: number;
  /** Newest update time in all responses that ended by then. */
  readonly newestUpdateMicros: number;
}

const findResponsesByInterface = cachePerObject((conversation: ConversationCalls) => ({
  legacy: collectResponses(conversation, "legacy"),
  current: collectResponses(conversation, "current"),
}));

/** Returns the responses of one interface that contain the conversation, sorted by end. */
function collectResponses(
  { calls }: ConversationCalls,
  interfaceName: ConversationInterface,
): readonly ConversationResponse[] {
  let newestUpdateMicros = Number.NEGATIVE_INFINITY;
  return calls
    .filter((call) => call.interface === interfaceName && conversationView(call) !== undefined)
    .toSorted((left, right) => left.record.times.endedAtMicros - right.record.times.endedAtMicros)
    .map((call) => {
      newestUpdateMicros = Math.max(newestUpdateMicros, findUpdateMicros(call) ?? newestUpdateMicros);
      return { call, endedAtMicros: call.record.times.endedAtMicros, newestUpdateMicros };
    });
}

/** Returns the writes that were sent between two responses, or at the same time. */
const findWritesBetween = (
  { calls }: ConversationCalls,
  earlier: ConversationCall,
  read: ConversationCall,
): readonly ConversationCall[] =>
  calls.filter(
    (call) =>
      call !== earlier &&
      call.operation !== "get" &&
      call.record.times.endedAtMicros > earlier.record.times.sentAtMicros &&
      call.record.times.sentAtMicros < read.record.times.endedAtMicros,
  );

/**
 * Reports whether a read shows fewer questions than an earlier response, or shows processing after the question
 * finished, although nothing could have changed in between.
 */
function isReverted(conversation: ConversationCalls, read: ConversationCall, earlier: ConversationCall): boolean {
  const [count, earlierCount] = [read, earlier].map((call) => conversationView(call)?.questions.length ?? 0);
  const isReopened = count === earlierCount && progressIn(earlier) === "finished" && progressIn(read) === "processing";
  return (
    ((count ?? 0) < (earlierCount ?? 0) || isReopened) &&
    !findWritesBetween(conversation, earlier, read).some(mayHaveTakenEffect)
  );
}

/**
 * Returns the index of the first response that matches, or the number of responses if none does. If one matches, all
 * later ones must match too, as with end times. Uses binary search, because a recording may contain many thousand
 * responses.
 */
function findFirstIndex(
  responses: readonly ConversationResponse[],
  matches: (response: ConversationResponse) => boolean,
): number {
  let [from, to] = [0, responses.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const response = responses[middle];
    [from, to] = response !== undefined && matches(response) ? [from, middle] : [middle + 1, to];
  }
  return from;
}

/** Returns the last response that had ended at a given time. */
const findLastEnded = (
  responses: readonly ConversationResponse[],
  atMicros: number,
): ConversationResponse | undefined =>
  responses[findFirstIndex(responses, ({ endedAtMicros }) => endedAtMicros > atMicros) - 1];

/** Returns the responses that ended before a read was sent and have a newer update time, sorted by end. */
function findNewerResponses(conversation: ConversationCalls, read: ConversationCall): readonly ConversationResponse[] {
  const updateMicros = findUpdateMicros(read);
  if (updateMicros === undefined) {
    return [];
  }
  const responses = findResponsesByInterface(conversation)[read.interface];
  const firstNewer = findFirstIndex(responses, ({ newestUpdateMicros }) => newestUpdateMicros > updateMicros);
  const firstLater = findFirstIndex(responses, ({ endedAtMicros }) => endedAtMicros > read.record.times.sentAtMicros);
  return responses.slice(firstNewer, firstLater);
}

/**
 * Reports whether a read shows an older version of a conversation than an earlier response: an older update time, fewer
 * questions, or `processing` after the question finished. A lagging replica does this for a while.
 */
export function isStale(conversation: ConversationCalls, read: ConversationCall): boolean {
  const { sentAtMicros } = read.record.times;
  const lastResponse = findResponsesByInterface(conversation)[read.interface].findLast(
    ({ endedAtMicros }) => endedAtMicros <= sentAtMicros,
  );
  return (
    findNewerResponses(conversation, read).length > 0 ||
    (lastResponse !== undefined && isReverted(conversation, read, lastResponse.call))
  );
}

/** Reports whether a read was sent so long after a write that replicas must have caught up. */
const isLongAfter = (write: ConversationCall, read: ConversationCall): boolean =>
  read.record.times.sentAtMicros - write.record.times.endedAtMicros >= deletionPatienceMs * 1000;

/**
 * Reports whether a read that does not show a write proves that the write had no effect. It does if its update time is
 * newer than all before the write, or if five seconds have passed. Until then a replica may lag.
 */
export function provesNoEffect(
  conversation: ConversationCalls,
  write: ConversationCall,
  read: ConversationCall,
): boolean {
  const { sentAtMicros } = write.record.times;
  if (isLongAfter(write, read)) {
    return true;
  }
  const lastResponseBefore = findLastEnded(findResponsesByInterface(conversation)[read.interface], sentAtMicros);
  return (
    (findUpdateMicros(read) ?? Number.NEGATIVE_INFINITY) >
      (lastResponseBefore?.newestUpdateMicros ?? Number.POSITIVE_INFINITY) && !isStale(conversation, read)
  );
}

/** Returns the key of a session. Each session may be served by a different replica. */
const sessionKey = ({ interface: interfaceName, record }: ConversationCall): string =>
  `${interfaceName} ${record.session ?? record.credential}`;

/**
 * Returns the observed lag of reads in the same session, in microseconds. Cached. It is twice the maximum time by which
 * a read with an older update time was sent after the newer response. It is doubled because reads are not continuous.
 * More than five seconds is not treated as lag, nor is an older update time after a request that may have changed the
 * conversation. A refused cancellation may have: a faulty target can let the question continue.
 */
export const observedLagMicros = (evidence: ConversationEvidence, read: ConversationCall): number =>
  2 * (measureLags(evidence).get(sessionKey(read)) ?? 0);

const mayBeUndone = (write: ConversationCall): boolean => write.operation === "cancel" || mayHaveTakenEffect(write);

const measureLags = cachePerObject((evidence: ConversationEvidence): ReadonlyMap<string, number> => {
  const maxLags = new Map<string, number>();
  for (const conversation of findCreatedConversations(evidence)) {
    for (const call of conversation.calls.filter(({ operation }) => operation === "get")) {
      const newerResponse = findNewerResponses(conversation, call).find(
        (response) => !findWritesBetween(conversation, response.call, call).some(mayBeUndone),
      );
      const lagMicros = newerResponse === undefined ? 0 : call.record.times.sentAtMicros - newerResponse.endedAtMicros;
      const key = sessionKey(call);
      maxLags.set(key, Math.max(maxLags.get(key) ?? 0, lagMicros < deletionPatienceMs * 1000 ? lagMicros : 0));
    }
  }
  return maxLags;
});
