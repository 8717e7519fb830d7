import { addSessionTime, createBounds, extendBounds, listObservations, listTimes, newSessionTimes } from "./bounds.ts";
import type { Bounds, SessionTimes } from "./bounds.ts";
import { newConversationRow } from "./conversation-row.ts";
import type { ConversationRow } from "./conversation-row.ts";
import type { Read, Write } from "./observation.ts";
import { maxListLength, packList, unpackList } from "./packed-list.ts";
import type { Value } from "./packed-list.ts";
import { recordRead, recordWrite, toShownWrite, toTimedValue } from "./record-observation.ts";
import type { CheckerContext, ShownWrite } from "./record-observation.ts";
import { applyChanges, findChanges, isSame, toShownSnapshot, toValues } from "./shown-values.ts";
import type { Changes, Values } from "./shown-values.ts";
import { noReads, withEqualReads } from "./timed-value.ts";
import type { SessionTime, TimedValue } from "./timed-value.ts";

/** Consecutive reads that show the same. */
interface Showing {
  readonly values: Values;
  /** The difference from the showing before. */
  readonly changes: Changes;
  readonly bounds: Bounds;
  readonly sessions: SessionTimes;
}

/**
 * The responses about a conversation, in order of arrival.
 *
 * Most polls repeat the previous response. A row consists of minima, maxima and counts, so the number of equal reads and the extremes of
 * their times suffice. The row is only created for judging: packed showings take a fifth of its memory.
 */
export interface ConversationLog {
  readonly conversation: string;
  /** Everything before the entries, once they were too many. */
  row: ConversationRow | undefined;
  /** Packed showings, and writes. */
  entries: readonly (string | ShownWrite)[];
  newest: Showing | undefined;
}

const noValues: Values = [];
const maxEntries = 64;

/** A snapshot with more questions is recorded in the row at once. */
const maxQuestions = 16;

export const newConversationLog = (conversation: string): ConversationLog => ({
  conversation,
  row: undefined,
  entries: [],
  newest: undefined,
});

/** Reports whether the read is recorded by itself: it has many questions, or its epoch depends on its time. */
function isRecordedAlone({ table: { machine } }: CheckerContext, { questions = [] }: Read["snapshot"]): boolean {
  return questions.length > maxQuestions || (machine.reopens && questions.length === 0);
}

export function addRead(checker: CheckerContext, log: ConversationLog, read: Read): void {
  const values = toValues(checker, read.snapshot);
  const observation = toTimedValue(checker, read, read.snapshot.updatedAt);
  if (isRecordedAlone(checker, read.snapshot)) {
    log.row = moveToRow(checker, log);
    recordRead(checker, log.row, { observation, snapshot: toShownSnapshot(checker.table, values) });
    return;
  }
  const { newest } = log;
  if (newest !== undefined && isSame(values, newest.values)) {
    extendBounds(newest.bounds, observation);
    newest.bounds.readCount += 1;
    addSessionTime(newest.sessions, 0, observation);
  } else {
    const before = closeNewest(checker, log);
    const changes = findChanges(before, values);
    log.newest = { values: applyChanges(before, changes), changes, ...startReads(observation) };
  }
}

/**
 * The copies are made here because V8 allocates objects by place in the code. Objects of rows are short-lived and would otherwise be
 * allocated among the long-lived ones, which costs a fifth of the time of judging.
 */
function startReads(observation: TimedValue): Pick<Showing, "bounds" | "sessions"> {
  const { keys, times, index } = newSessionTimes();
  const sessions = { keys: [...keys], times: [...times], index };
  addSessionTime(sessions, 0, observation);
  return { bounds: { ...createBounds(observation) }, sessions };
}

/** Packs the newest showing and returns its values. */
function closeNewest(checker: CheckerContext, log: ConversationLog): Values {
  const { newest } = log;
  if (newest === undefined) {
    return noValues;
  }
  const list = toList(newest.changes, mergeReads(newest));
  // A longer list has many sessions.
  if (list.length > maxListLength || log.entries.length >= maxEntries) {
    log.row = moveToRow(checker, log);
    return noValues;
  }
  log.newest = undefined;
  log.entries = [...log.entries, packList(list)];
  return newest.values;
}

export function addWrite(checker: CheckerContext, log: ConversationLog, write: Write): void {
  closeNewest(checker, log);
  if (log.entries.length >= maxEntries) {
    log.row = moveToRow(checker, log);
  }
  log.entries = [...log.entries, toShownWrite(checker, write)];
}

/** Returns the first read to end, which represents all others. */
function mergeReads({ bounds, sessions }: Showing): TimedValue {
  const reads = [...new Set(listObservations(bounds))].flatMap((read) => read ?? []);
  const isExtreme = ({ session, sentAtMicros, endedAtMicros }: SessionTime): boolean =>
    reads.some(
      (read) =>
        read.session.number === session.number &&
        read.sentAtMicros === sentAtMicros &&
        read.endedAtMicros === endedAtMicros,
    );
  const sessionTimes = listTimes(sessions).filter((time) => !isExtreme(time));
  const extremes = reads.filter((read) => read !== bounds.minEnd);
  return withEqualReads(bounds.minEnd, { count: bounds.readCount - 1, extremes, sessionTimes });
}

/**
 * Returns a showing as a list: the length of the changes, the number of equal reads, the changes, and four values for each time. The times
 * of sessions have null instead of an exchange.
 */
function toList(changes: Changes, read: TimedValue): readonly Value[] {
  const { count, extremes, sessionTimes } = read.equalReads;
  const list: Value[] = [changes.length, count, ...changes];
  for (const { exchange, session, sentAtMicros, endedAtMicros } of [read, ...extremes]) {
    list.push(exchange, session.number, sentAtMicros, endedAtMicros);
  }
  for (const { session, sentAtMicros, endedAtMicros } of sessionTimes) {
    list.push(null, session.number, sentAtMicros, endedAtMicros);
  }
  return list;
}

/** Records the showing of a list and returns its values. */
function recordList(checker: CheckerContext, row: ConversationRow, { list, before }: StoredShowing): Values {
  const start = 2 + Number(list[0]);
  const values = applyChanges(before, list.slice(2, start));
  const snapshot = toShownSnapshot(checker.table, values);
  const updated = checker.readInstant(snapshot.updatedAt);
  const extremes: TimedValue[] = [];
  const sessionTimes: SessionTime[] = [];
  for (let index = start; index < list.length; index += 4) {
    const exchange = list[index];
    const session = checker.sessionAt(Number(list[index + 1]));
    const sentAtMicros = Number(list[index + 2]);
    const endedAtMicros = Number(list[index + 3]);
    if (typeof exchange === "string") {
      extremes.push({
        kind: "read",
        exchange,
        session,
        sentAtMicros,
        endedAtMicros,
        value: "",
        updated,
        equalReads: noReads,
      });
    } else {
      sessionTimes.push({ session, sentAtMicros, endedAtMicros });
    }
  }
  const first = extremes.shift();
  if (first !== undefined) {
    const observation = withEqualReads(first, { count: Number(list[1]), extremes, sessionTimes });
    recordRead(checker, row, { observation, snapshot });
  }
  return values;
}

/** A list, and the values of the showing before. */
interface StoredShowing {
  readonly list: readonly Value[];
  readonly before: Values;
}

/** Records everything in the row of the log and empties the log. */
function moveToRow(checker: CheckerContext, log: ConversationLog): ConversationRow {
  const row = log.row ?? newConversationRow(log.conversation);
  recordAll(checker, log, row);
  log.entries = [];
  log.newest = undefined;
  return row;
}

/** Returns a row with everything that was observed. */
export function toRow(checker: CheckerContext, log: ConversationLog): ConversationRow {
  if (log.row !== undefined) {
    return moveToRow(checker, log);
  }
  const row = newConversationRow(log.conversation);
  recordAll(checker, log, row);
  return row;
}

function recordAll(checker: CheckerContext, { entries, newest }: ConversationLog, row: ConversationRow): void {
  let before = noValues;
  for (const entry of entries) {
    if (typeof entry === "string") {
      before = recordList(checker, row, { list: unpackList(entry), before });
    } else {
      before = noValues;
      recordWrite(checker, row, entry);
    }
  }
  if (newest !== undefined) {
    const snapshot = toShownSnapshot(checker.table, newest.values);
    recordRead(checker, row, { observation: mergeReads(newest), snapshot });
  }
}
