import { addState, addVersion, createBounds, extend, newSubject, newVersionBounds } from "./bounds.ts";
import type { Bounds, Subject, VersionBounds } from "./bounds.ts";
import { addValue } from "./constancy.ts";
import type { Constancy, TimeRange } from "./constancy.ts";
import type { ShownOutcome } from "./observation.ts";
import { cacheable, chainedDigest, toMember } from "./text-digest.ts";
import type { Member, TextHolder } from "./text-digest.ts";
import type { TimedValue } from "./timed-value.ts";

/** A question with the text it was asked with. */
export interface Asked {
  readonly digest: number;
  readonly words: string;
}

/** A write that changed something or may have. */
export interface LoggedWrite {
  readonly observation: TimedValue;
  readonly isAccepted: boolean;
  readonly asked: Asked | undefined;
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

const sentFirst = (a: LoggedWrite, b: LoggedWrite): number =>
  a.observation.sentAtMicros - b.observation.sentAtMicros ||
  a.observation.endedAtMicros - b.observation.endedAtMicros ||
  (a.observation.exchange < b.observation.exchange ? -1 : 1);

const isSame = ({ observation: { exchange, sentAtMicros } }: LoggedWrite, other: LoggedWrite | undefined): boolean =>
  other?.observation.exchange === exchange && other.observation.sentAtMicros === sentAtMicros;

/** Position of observations between follow-ups. Each follow-up starts an epoch at some instant of its interval. */
export interface Epochs {
  /** Number of follow-ups answered before the observation was sent. Undefined if it overlaps one. */
  readonly before: (observation: TimedValue) => number | undefined;
  /** Number of accepted follow-ups. Undefined if one is uncertain. */
  readonly accepted: number | undefined;
  /** Follow-ups in order, if all were accepted and each was answered before the next was sent. */
  readonly sequence: readonly LoggedWrite[] | undefined;
}

/** Sorts the follow-ups. A lookup takes logarithmic time. */
export function computeEpochs({ followUps }: WriteLog): Epochs {
  // A follow-up that was observed twice occurred once.
  const notes = [...followUps].sort(sentFirst).filter((note, index, all) => !isSame(note, all[index - 1]));
  let latest = Number.NEGATIVE_INFINITY;
  const latestEnds = notes.map(({ observation }) => (latest = Math.max(latest, observation.endedAtMicros)));
  const inTurn = notes.every(
    ({ isAccepted, observation }, index) =>
      isAccepted && (latestEnds[index - 1] ?? -Infinity) < observation.sentAtMicros,
  );
  return {
    accepted: notes.every(({ isAccepted }) => isAccepted) ? notes.length : undefined,
    before: ({ sentAtMicros, endedAtMicros }) => {
      const count = countSent(notes, endedAtMicros);
      return (latestEnds[count - 1] ?? Number.NEGATIVE_INFINITY) < sentAtMicros ? count : undefined;
    },
    sequence: inTurn ? notes : undefined,
  };
}

/** Number of writes sent up to a time. */
function countSent(notes: readonly LoggedWrite[], atMicros: number): number {
  let from = 0;
  let to = notes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((notes[middle]?.observation.sentAtMicros ?? 0) <= atMicros) {
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
interface KeptRows<Row> {
  readonly rows: Map<number, Row>;
  /** Rows with a larger number are discarded. */
  maxKey: number;
}

export const maxRows = 2048;

const newKeptRows = <Row>(): KeptRows<Row> => ({ rows: new Map(), maxKey: Number.POSITIVE_INFINITY });

/** Returns the row of a number and creates it if necessary. Returns undefined beyond the bound. */
export function getOrCreateRow<Row>(kept: KeptRows<Row>, key: number, fresh: (key: number) => Row): Row | undefined {
  const existingRow = kept.rows.get(key);
  if (existingRow !== undefined || key > kept.maxKey) {
    return existingRow;
  }
  const row = fresh(key);
  kept.rows.set(key, row);
  if (kept.rows.size >= 2 * maxRows) {
    trim(kept);
  }
  return row;
}

function trim<Row>(kept: KeptRows<Row>): void {
  const keys = [...kept.rows.keys()].sort((a, b) => a - b);
  kept.maxKey = keys[maxRows - 1] ?? kept.maxKey;
  for (const key of keys.slice(maxRows)) {
    kept.rows.delete(key);
  }
}

/** Returns the rows to report on. Independent of the order of arrival. */
export function keptRows<Row>(kept: KeptRows<Row>): readonly Row[] {
  if (kept.rows.size > maxRows) {
    trim(kept);
  }
  return [...kept.rows.values()];
}

/** The state of a question, identified by its id or, without one, by its position. */
export interface QuestionRow extends TextHolder {
  /** Digest of the id, or a negative number for a position. */
  readonly key: number;
  readonly isKnownById: boolean;
  /** Smallest index at which it appeared. */
  position: number;
  /** Reports whether it appeared at different positions. */
  isMoved: boolean;
  subject: Subject | undefined;
  text: Constancy | undefined;
  /** The text it had most recently. */
  asked: Member | undefined;
  /** Compared once the question is finished. `detail` is the number of characters. */
  content: Constancy | undefined;
  created: TimeRange | undefined;
  versions: VersionBounds | undefined;
  /** Number of checks of each gate, by number of the gate. */
  readonly gateChecks: number[];
  /** First observation that failed each gate, by number of the gate. */
  readonly gateFailures: (TimedValue | undefined)[];
}

/** The position of a question that no response showed. */
export const unknownPosition = Number.POSITIVE_INFINITY;

const newRow = (key: number, isKnownById: boolean): QuestionRow => ({
  key,
  isKnownById,
  position: unknownPosition,
  isMoved: false,
  subject: undefined,
  text: undefined,
  asked: undefined,
  content: undefined,
  created: undefined,
  versions: undefined,
  recentText: undefined,
  recentDigest: 0,
  gateChecks: [],
  gateFailures: [],
});

export const newRowById = (key: number): QuestionRow => newRow(key, true);
export const newRowByPosition = (key: number): QuestionRow => newRow(key, false);

export function recordPosition(row: QuestionRow, position: number): void {
  if (position !== unknownPosition && position !== row.position) {
    row.isMoved ||= row.position !== unknownPosition;
    row.position = Math.min(row.position, position);
  }
}

export function recordText(row: QuestionRow, observation: TimedValue, { digest, text }: Member): void {
  row.text = addValue(row.text, observation, { key: digest, detail: 0, text });
}

/** Number of characters of an answer or error that are compared literally. Findings quote fewer. */
const maxQuoted = 80;

interface FinishedContent {
  readonly digest: number;
  readonly length: number;
  readonly state: string;
  readonly outcome: ShownOutcome | undefined;
}

export function recordContent(
  row: QuestionRow,
  observation: TimedValue,
  { digest, length, state, outcome }: FinishedContent,
): void {
  const text = outcome === undefined ? state : `${state}, an ${outcome.kind} "${outcome.text.slice(0, maxQuoted)}"`;
  row.content = addValue(row.content, observation, { key: digest, detail: length, text, kind: outcome?.kind });
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

/** Returns the text of a question. Cached, because the next poll usually shows it again. */
export function textMember(row: QuestionRow, text: string): Member {
  const member = toMember(row.asked, text);
  row.asked = cacheable(member);
  return member;
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
  reads: number;
  /** The member most recently seen at each position. */
  readonly recent: (Member | undefined)[];
  /** Observations by number of questions. Fewer questions later is a regression, as with states. */
  readonly lengths: Map<number, Bounds>;
  readonly beginnings: Readonly<Record<QuestionKey, (Constancy | undefined)[]>>;
  /** Number of lists with at least two questions that have ids. */
  idLists: number;
  /** First list that contains an id twice. */
  duplicateId: Constancy | undefined;
}

const newQuestionList = (): QuestionList => ({
  reads: 0,
  recent: [],
  lengths: new Map(),
  beginnings: { id: [], text: [] },
  idLists: 0,
  duplicateId: undefined,
});

/** Lists are compared up to this length. */
export const maxListed = 1024;

export function addLength(list: QuestionList, length: number, observation: TimedValue): void {
  list.reads += 1;
  const known = list.lengths.get(length);
  if (known === undefined) {
    list.lengths.set(length, createBounds(observation));
  } else {
    extend(known, observation);
  }
}

/** Compares each prefix of a list with the same prefix of all others. */
export function addMembers(
  list: QuestionList,
  observation: TimedValue,
  named: { by: QuestionKey; members: readonly Member[] },
): void {
  const beginnings = list.beginnings[named.by];
  let chained = 0;
  named.members.forEach(({ digest, text }, position) => {
    chained = chainedDigest(chained, digest);
    beginnings[position] = addValue(beginnings[position], observation, { key: chained, detail: digest, text });
  });
}

/** A state from a read that does not show its epoch. */
export interface UncountedState {
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
  readonly uncounted: UncountedState[];
  readonly questions: KeptRows<QuestionRow>;
  readonly list: QuestionList;
  readonly versions: VersionBounds;
  readonly writes: WriteLog;
  created: TimeRange | undefined;
}

export const newConversationRow = (conversation: string): ConversationRow => ({
  conversation,
  subjects: new Map(),
  uncounted: [],
  questions: newKeptRows(),
  list: newQuestionList(),
  versions: newVersionBounds(),
  writes: newWriteLog(),
  created: undefined,
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
