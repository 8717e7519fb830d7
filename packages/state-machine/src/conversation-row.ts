import { addState, addVersion, createBounds, extendBounds, newSubject, newVersionBounds } from "./bounds.ts";
import type { Bounds, Subject, VersionBounds } from "./bounds.ts";
import { addValue } from "./constancy.ts";
import type { Constancy, TimeRange } from "./constancy.ts";
import type { ShownContent } from "./shown-values.ts";
import { chainedDigest } from "./text-digest.ts";
import { countOf } from "./timed-value.ts";
import type { TimedValue } from "./timed-value.ts";

/** A question with the text it was asked with. */
export interface AskedQuestion {
  readonly digest: number;
  readonly excerpt: string;
}

/** A write that changed something or may have. */
export interface LoggedWrite {
  readonly observation: TimedValue;
  readonly isAccepted: boolean;
  readonly askedQuestion: AskedQuestion | undefined;
}

export interface WriteLog {
  create: LoggedWrite | undefined;
  readonly followUps: LoggedWrite[];
  readonly cancels: LoggedWrite[];
  /** The time from which the conversation may have been deleted. */
  deletedMicros: number | undefined;
}

export const newWriteLog = (): WriteLog => ({
  create: undefined,
  followUps: [],
  cancels: [],
  deletedMicros: undefined,
});

const bySending = (a: LoggedWrite, b: LoggedWrite): number =>
  a.observation.sentAtMicros - b.observation.sentAtMicros ||
  a.observation.endedAtMicros - b.observation.endedAtMicros ||
  (a.observation.exchange < b.observation.exchange ? -1 : 1);

const isSameWrite = (
  { observation: { exchange, sentAtMicros } }: LoggedWrite,
  other: LoggedWrite | undefined,
): boolean => other?.observation.exchange === exchange && other.observation.sentAtMicros === sentAtMicros;

/** Position of observations between follow-ups. Each follow-up starts an epoch at some instant of its interval. */
export interface Epochs {
  /** Number of follow-ups answered before the observation was sent. Undefined if it overlaps one. */
  readonly before: (observation: TimedValue) => number | undefined;
  /** Number of accepted follow-ups. Undefined if one is uncertain. */
  readonly acceptedCount: number | undefined;
  /** Follow-ups in order, if all were accepted and each was answered before the next was sent. */
  readonly sequence: readonly LoggedWrite[] | undefined;
}

/** Sorts the follow-ups. A lookup takes logarithmic time. */
export function computeEpochs({ followUps }: WriteLog): Epochs {
  // A follow-up that was observed twice occurred once.
  const writes = [...followUps].sort(bySending).filter((write, index, all) => !isSameWrite(write, all[index - 1]));
  let latest = Number.NEGATIVE_INFINITY;
  const latestEnds = writes.map(({ observation }) => (latest = Math.max(latest, observation.endedAtMicros)));
  const isSequential = writes.every(
    ({ isAccepted, observation }, index) =>
      isAccepted && (latestEnds[index - 1] ?? -Infinity) < observation.sentAtMicros,
  );
  return {
    acceptedCount: writes.every(({ isAccepted }) => isAccepted) ? writes.length : undefined,
    before: ({ sentAtMicros, endedAtMicros }) => {
      const count = countSent(writes, endedAtMicros);
      return (latestEnds[count - 1] ?? Number.NEGATIVE_INFINITY) < sentAtMicros ? count : undefined;
    },
    sequence: isSequential ? writes : undefined,
  };
}

/** Number of writes sent up to a time. */
function countSent(writes: readonly LoggedWrite[], atMicros: number): number {
  let from = 0;
  let to = writes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((writes[middle]?.observation.sentAtMicros ?? 0) <= atMicros) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/** Reports whether a write may have taken effect between two observations. */
export const mayLieBetween = (writes: readonly LoggedWrite[], a: TimedValue, b: TimedValue): boolean => {
  const from = Math.min(a.sentAtMicros, b.sentAtMicros);
  const to = Math.max(a.endedAtMicros, b.endedAtMicros);
  return writes.some(({ observation }) => observation.sentAtMicros <= to && observation.endedAtMicros >= from);
};

/**
 * A bounded set of rows by number: those with the smallest numbers. If the numbers are digests, the set depends only on the keys, not on
 * their order of arrival, and a row in the final set was stored since it was first seen. Real conversations do not reach the bound.
 */
interface BoundedRows<Row> {
  readonly rows: Map<number, Row>;
  /** Rows with a larger number are discarded. */
  maxKey: number;
}

export const maxRows = 2048;

const newBoundedRows = <Row>(): BoundedRows<Row> => ({ rows: new Map(), maxKey: Number.POSITIVE_INFINITY });

/** Returns the row of a number and creates it if necessary. Returns undefined beyond the bound. */
export function getOrCreateRow<Row>(
  boundedRows: BoundedRows<Row>,
  key: number,
  createRow: (key: number) => Row,
): Row | undefined {
  const existingRow = boundedRows.rows.get(key);
  if (existingRow !== undefined || key > boundedRows.maxKey) {
    return existingRow;
  }
  const row = createRow(key);
  boundedRows.rows.set(key, row);
  if (boundedRows.rows.size >= 2 * maxRows) {
    trim(boundedRows);
  }
  return row;
}

function trim<Row>(boundedRows: BoundedRows<Row>): void {
  const keys = [...boundedRows.rows.keys()].sort((a, b) => a - b);
  boundedRows.maxKey = keys[maxRows - 1] ?? boundedRows.maxKey;
  for (const key of keys.slice(maxRows)) {
    boundedRows.rows.delete(key);
  }
}

/** Returns the rows to report on. Independent of the order of arrival. */
export function listRows<Row>(boundedRows: BoundedRows<Row>): readonly Row[] {
  if (boundedRows.rows.size > maxRows) {
    trim(boundedRows);
  }
  return [...boundedRows.rows.values()];
}

/** The state of a question, identified by its id or, without one, by its position. */
export interface QuestionRow {
  /** Digest of the id, or a negative number for a position. */
  readonly key: number;
  readonly isKnownById: boolean;
  /** Smallest index at which it appeared. */
  position: number;
  /** Reports whether it appeared at different positions. */
  hasMoved: boolean;
  subject: Subject | undefined;
  text: Constancy | undefined;
  /** Compared once the question is finished. `detail` is the number of characters. */
  content: Constancy | undefined;
  creationTime: TimeRange | undefined;
  versions: VersionBounds | undefined;
  /** Number of checks of all gates. */
  gateChecks: number;
  /** First observation that failed each gate, by number of the gate. */
  gateFailures: (TimedValue | undefined)[] | undefined;
}

/** The position of a question that no response showed. */
export const unknownPosition = Number.POSITIVE_INFINITY;

const newRow = (key: number, isKnownById: boolean): QuestionRow => ({
  key,
  isKnownById,
  position: unknownPosition,
  hasMoved: false,
  subject: undefined,
  text: undefined,
  content: undefined,
  creationTime: undefined,
  versions: undefined,
  gateChecks: 0,
  gateFailures: undefined,
});

export const newRowById = (key: number): QuestionRow => newRow(key, true);
export const newRowByPosition = (key: number): QuestionRow => newRow(key, false);

export function recordPosition(row: QuestionRow, position: number): void {
  if (position !== unknownPosition && position !== row.position) {
    row.hasMoved ||= row.position !== unknownPosition;
    row.position = Math.min(row.position, position);
  }
}

export function recordText(row: QuestionRow, observation: TimedValue, { digest, text }: Member): void {
  row.text = addValue(row.text, observation, { key: digest, detail: 0, text });
}

export function recordContent(
  row: QuestionRow,
  observation: TimedValue,
  { content: { digest, length, outcome }, state }: { readonly content: ShownContent; readonly state: string },
): void {
  row.content = addValue(row.content, observation, { key: digest, detail: length, text: state, outcome });
}

/** Records the status of a question, if any, and its version if the question has its own update time. */
export function recordStatus(
  row: QuestionRow,
  observation: TimedValue,
  { state, hasVersion }: { readonly state: number | undefined; readonly hasVersion: boolean },
): void {
  if (hasVersion) {
    row.versions ??= newVersionBounds();
    addVersion(row.versions, observation, state);
  }
  if (state !== undefined) {
    row.subject ??= newSubject();
    addState(row.subject, state, observation);
  }
}

/** The id or text of a question in a list. */
export interface Member {
  readonly digest: number;
  readonly text: string;
}

/** The way in which the questions of a list are identified. */
export type QuestionKey = "id" | "text";

/**
 * The state of all lists of questions.
 *
 * Lists only grow at their end, so the shorter of two lists is a prefix of the longer one. Each position stores the digest of the list up
 * to there. At the first position where two lists differ, two observations agree before it and disagree at it.
 */
export interface QuestionList {
  readCount: number;
  /** Observations by number of questions. Fewer questions later is a regression, as with states. */
  readonly lengths: Map<number, Bounds>;
  readonly beginnings: Readonly<Record<QuestionKey, Constancy[]>>;
  /** Number of lists with at least two questions that have ids. */
  idListCount: number;
  /** First list that contains an id twice. */
  duplicateId: Constancy | undefined;
}

const newQuestionList = (): QuestionList => ({
  readCount: 0,
  lengths: new Map(),
  beginnings: { id: [], text: [] },
  idListCount: 0,
  duplicateId: undefined,
});

export function addLength(list: QuestionList, length: number, observation: TimedValue): void {
  list.readCount += countOf(observation);
  const bounds = list.lengths.get(length);
  if (bounds === undefined) {
    list.lengths.set(length, createBounds(observation));
  } else {
    extendBounds(bounds, observation);
  }
}

/** Compares each prefix of a list with the same prefix of all others. */
export function addMembers(
  list: QuestionList,
  observation: TimedValue,
  keyedMembers: { by: QuestionKey; members: readonly Member[] },
): void {
  const { by, members } = keyedMembers;
  let listDigest = 0;
  members.forEach(({ digest, text }, position) => {
    listDigest = chainedDigest(listDigest, digest);
    list.beginnings[by][position] = addValue(list.beginnings[by][position], observation, {
      key: listDigest,
      detail: digest,
      text,
    });
  });
}

/** A state from a read that does not show its epoch. */
export interface StateWithoutEpoch {
  readonly state: number;
  readonly observation: TimedValue;
}

/** State of one conversation. */
export interface ConversationRow {
  readonly conversation: string;
  /** For machines whose subject is the conversation: the states of each epoch, by number of questions. */
  readonly subjects: Map<number, Subject>;
  /**
   * Reads of a reopening machine that do not show the number of questions. They are kept until the follow-ups are known, which may be
   * observed later. Only these use memory proportional to the number of reads.
   */
  readonly statesWithoutEpoch: StateWithoutEpoch[];
  readonly questions: BoundedRows<QuestionRow>;
  readonly list: QuestionList;
  readonly versions: VersionBounds;
  readonly writes: WriteLog;
  creationTime: TimeRange | undefined;
}

export const newConversationRow = (conversation: string): ConversationRow => ({
  conversation,
  subjects: new Map(),
  statesWithoutEpoch: [],
  questions: newBoundedRows(),
  list: newQuestionList(),
  versions: newVersionBounds(),
  writes: newWriteLog(),
  creationTime: undefined,
});

/** Returns the subject of an epoch and creates it if necessary. */
export function getOrCreateSubject(subjects: Map<number, Subject>, epoch: number): Subject {
  let subject = subjects.get(epoch);
  if (subject === undefined) {
    subject = newSubject();
    subjects.set(epoch, subject);
  }
  return subject;
}
