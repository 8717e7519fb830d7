import { boundsOf, extend } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { addValue } from "./constancy.ts";
import type { Constancy, TimeRange } from "./constancy.ts";
import type { ShownOutcome } from "./observation.ts";
import { newSubject, addState } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { chainedDigest, memberOf, cacheable } from "./text-digest.ts";
import type { Member, TextHolder } from "./text-digest.ts";
import { newVersionBounds, addVersion } from "./version-bounds.ts";
import type { VersionBounds } from "./version-bounds.ts";
import type { Witness } from "./witness.ts";
import { newWriteLog } from "./write-log.ts";
import type { WriteLog } from "./write-log.ts";

/**
 * A bounded set of rows by number: the rows with the smallest numbers. If the numbers are digests, the set depends on the
 * keys only, not on the order in which they arrived, and a row in the final set was kept since it was first seen. Real
 * conversations do not reach the bound.
 */
interface KeptRows<Row> {
  readonly rows: Map<number, Row>;
  /** Rows with a larger number are not kept. */
  maxKey: number;
}

export const maxRows = 2048;

const newKeptRows = <Row>(): KeptRows<Row> => ({ rows: new Map(), maxKey: Number.POSITIVE_INFINITY });

/** The row of a number, created if it is new; undefined beyond the bound. */
export function rowOf<Row>(kept: KeptRows<Row>, key: number, fresh: (key: number) => Row): Row | undefined {
  const known = kept.rows.get(key);
  if (known !== undefined || key > kept.maxKey) {
    return known;
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

/** The rows to report on. Independent of the order of arrival. */
export function keptRows<Row>(kept: KeptRows<Row>): readonly Row[] {
  if (kept.rows.size > maxRows) {
    trim(kept);
  }
  return [...kept.rows.values()];
}

/** State of a question, identified by its id or, without one, by its position. */
export interface QuestionRow extends TextHolder {
  /** Digest of the id, or a negative number for a position. */
  readonly key: number;
  readonly isKnownById: boolean;
  /** Smallest index at which it appeared. */
  position: number;
  /** True if it appeared at different positions. */
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
  readonly gateFailures: (Witness | undefined)[];
}

/** Position of a question if no answer showed it. */
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

export function recordText(row: QuestionRow, witness: Witness, { digest, text }: Member): void {
  row.text = addValue(row.text, witness, { key: digest, detail: 0, text });
}

/** Characters of an answer or error that are compared in words. Findings quote less. */
const maxQuoted = 80;

interface FinishedContent {
  readonly digest: number;
  readonly length: number;
  readonly state: string;
  readonly outcome: ShownOutcome | undefined;
}

export function recordContent(
  row: QuestionRow,
  witness: Witness,
  { digest, length, state, outcome }: FinishedContent,
): void {
  const text = outcome === undefined ? state : `${state}, an ${outcome.kind} "${outcome.text.slice(0, maxQuoted)}"`;
  row.content = addValue(row.content, witness, { key: digest, detail: length, text, kind: outcome?.kind });
}

/** Records the status of a question that has one, and its version if the question has an update time of its own. */
export function recordStatus(
  row: QuestionRow,
  witness: Witness,
  { state, hasVersion }: { readonly state: number | undefined; readonly hasVersion: boolean },
): void {
  if (hasVersion) {
    row.versions ??= newVersionBounds();
    addVersion(row.versions, witness, state);
  }
  if (state !== undefined) {
    row.subject ??= newSubject();
    addState(row.subject, state, witness);
  }
}

/** The text of a question. Cached, because the next poll usually shows it again. */
export function textMember(row: QuestionRow, text: string): Member {
  const member = memberOf(row.asked, text);
  row.asked = cacheable(member);
  return member;
}

/** How the questions of a list are identified. */
export type QuestionKey = "id" | "text";

/**
 * State of all lists of questions.
 *
 * Lists only grow at their end, so the shorter of two lists is a prefix of the longer one. Each position holds the digest of
 * the list up to there. At the first position where two lists differ, two observations agree before it and disagree at it.
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

export function addLength(list: QuestionList, length: number, witness: Witness): void {
  list.reads += 1;
  const known = list.lengths.get(length);
  if (known === undefined) {
    list.lengths.set(length, boundsOf(witness));
  } else {
    extend(known, witness);
  }
}

/** Compares each prefix of a list with the same prefix of all others. */
export function addMembers(
  list: QuestionList,
  witness: Witness,
  named: { by: QuestionKey; members: readonly Member[] },
): void {
  const beginnings = list.beginnings[named.by];
  let chained = 0;
  named.members.forEach(({ digest, text }, position) => {
    chained = chainedDigest(chained, digest);
    beginnings[position] = addValue(beginnings[position], witness, { key: chained, detail: digest, text });
  });
}

/** A state from a read that does not show its epoch. */
export interface UncountedState {
  readonly state: number;
  readonly witness: Witness;
}

/** State of one conversation. */
export interface ConversationRow {
  readonly conversation: string;
  /** For machines whose subject is the conversation: the states of each epoch, by number of questions. */
  readonly subjects: Map<number, Subject>;
  /**
   * Reads of a reopening machine that do not show the number of questions. They wait for the follow-ups, which may be
   * observed later. Only here does memory grow with the number of reads.
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

/** The subject of an epoch, created if it is new. */
export function subjectOf(subjects: Map<number, Subject>, epoch: number): Subject {
  let subject = subjects.get(epoch);
  if (subject === undefined) {
    subject = newSubject();
    subjects.set(epoch, subject);
  }
  return subject;
}
