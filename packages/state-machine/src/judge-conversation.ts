import { counted } from "@assay/contract";
import { addState, copySubject, findRegression, mergeBounds } from "./bounds.ts";
import type { Bounds, Subject } from "./bounds.ts";
import type { Constancy, KeyedValue } from "./constancy.ts";
import { computeEpochs, keptRows, getOrCreateSubject, unknownPosition } from "./conversation-row.ts";
import type { ConversationRow, Epochs, LoggedWrite, QuestionKey, QuestionRow } from "./conversation-row.ts";
import { toFinding, questionName } from "./history-report.ts";
import type { FindingDraft, HistoryCode, HistoryFinding } from "./history-report.ts";
import { cancelBehaviour, judgeCreationTime, judgeStates, judgeVersions, reportStale } from "./judge-states.ts";
import type { Judging, StaleRead } from "./judge-states.ts";
import type { StateTable } from "./state-table.ts";
import { inOrder, isBefore, withValue } from "./timed-value.ts";
import type { Session, TimedValue } from "./timed-value.ts";

/** Reports whether a position always means the same question, for questions identified by position. */
export interface ListJudgement {
  readonly keepsPlaces: boolean;
}

/** Judges whether lists of questions only grow at their end. */
export function judgeList(judging: Judging): ListJudgement {
  const { list } = judging.row;
  const { beginnings } = list;
  judging.count("question-lost", list.reads - 1);
  judging.count("question-reordered", Math.max(pairs(beginnings.id[1]), pairs(beginnings.text[1])));
  judging.count("question-id-changed", pairs(beginnings.id[0]));
  judging.count("question-duplicated", list.idLists);
  reportDuplicateId(judging);
  const isLost = judgeLengths(judging);
  judgeBeginnings(judging, { by: "id", isLost });
  return { keepsPlaces: judgeBeginnings(judging, { by: "text", isLost }) };
}

const pairs = (constancy: Constancy | undefined): number => Math.max(0, (constancy?.reads ?? 0) - 1);

function reportDuplicateId({ row, report }: Judging): void {
  const { duplicateId } = row.list;
  if (duplicateId !== undefined) {
    const { observation } = duplicateId.first;
    report({
      code: "question-duplicated",
      first: observation,
      second: observation,
      of: "the id",
      because: "one list contains it twice",
    });
  }
}

const withCount = (observation: TimedValue, length: number): TimedValue =>
  withValue(observation, counted(length, "question"));

/**
 * Judges the numbers of questions. A smaller one later means an older version or a loss. Returns true for a loss, which is reported once.
 */
function judgeLengths({ row, report, stale }: Judging): boolean {
  const byLength = [...row.list.lengths].sort(([a], [b]) => b - a);
  let high: Bounds | undefined;
  let isLost = false;
  const lengthOf = new Map<string, number>();
  for (const [length, low] of byLength) {
    const regression =
      high && findRegression({ high, low, isLowInitial: length === 1, highEndMicros: sessionEnds(high) });
    if (regression !== undefined) {
      const first = withCount(regression.first, lengthOf.get(regression.first.exchange) ?? 0);
      const second = withCount(regression.second, length);
      if (regression.kind === "stale") {
        stale({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros });
      } else if (!isLost) {
        isLost = true;
        report({ code: "question-lost", first, second, because: "questions are only ever added" });
      }
    }
    high = high === undefined ? { ...low } : mergeBounds([high, low]);
    recordLength(lengthOf, low, length);
  }
  return isLost;
}

function recordLength(lengthOf: Map<string, number>, bounds: Bounds, length: number): void {
  for (const observation of Object.values(bounds)) {
    if (observation !== undefined) {
      lengthOf.set(observation.exchange, length);
    }
  }
}

/** Returns the first end per session. Enough to recognize a list that remains short. */
const sessionEnds =
  ({ minEnd, minSent, maxSent, nextSent }: Bounds) =>
  (session: Session): number =>
    Math.min(
      ...[minEnd, minSent, maxSent, nextSent].map((read) =>
        read?.session === session ? read.endedAtMicros : Number.POSITIVE_INFINITY,
      ),
    );

/** Finds the first position at which two lists differ. Returns true if every position always means the same question. */
function judgeBeginnings(judging: Judging, { by, isLost }: { by: QuestionKey; isLost: boolean }): boolean {
  const beginnings = judging.row.list.beginnings[by];
  const position = beginnings.findIndex((beginning) => beginning?.other !== undefined);
  const differing = beginnings[position];
  if (differing?.other === undefined) {
    return true;
  }
  const { first, other } = differing;
  const isMoved = by === "id" ? movedIds(judging) : movedTexts(beginnings, position);
  const moved = [first, other].filter(({ detail }) => isMoved(detail));
  if (moved.length === 0 && by === "text") {
    // Questions identified by position may change their text: `judgeText` compares that.
    return true;
  }
  reportDifference(judging, { position, pair: [first, other], moved, isLost });
  return false;
}

function movedIds({ row }: Judging): (digest: number) => boolean {
  const moved = new Set(keptRows(row.questions).flatMap((question) => (isMovedId(question) ? [question.key] : [])));
  return (digest) => moved.has(digest);
}

const isMovedId = ({ isKnownById, isMoved }: QuestionRow): boolean => isKnownById && isMoved;

function movedTexts(beginnings: readonly (Constancy | undefined)[], position: number): (digest: number) => boolean {
  const later = new Set(beginnings.slice(position + 1).flatMap((each) => [each?.first.detail, each?.other?.detail]));
  return (digest) => later.has(digest);
}

interface Difference {
  readonly position: number;
  readonly pair: readonly [KeyedValue, KeyedValue];
  readonly moved: readonly KeyedValue[];
  /** Set if a loss was already reported. */
  readonly isLost: boolean;
}

/**
 * Reports a difference between two lists. If both questions also appear at other positions, they were swapped. If only one does, its
 * direction decides: if it moved up, the other one was lost. If it moved down, a question was inserted before it. If neither does, the
 * question has a new id.
 */
function reportDifference({ report }: Judging, { position, pair, moved, isLost }: Difference): void {
  const [first, second] = inOrder(pair[0].observation, pair[1].observation);
  const isOrdered = isBefore(first, second);
  const of = `${questionName(position)} as`;
  const common = { first, second, question: position, of };
  const [only] = moved;
  if (only === undefined) {
    report({ code: "question-id-changed", ...common, because: "a question keeps its id" });
  } else if (moved.length === 1 && isOrdered && only.observation === second) {
    if (isLost) {
      return;
    }
    report({ code: "question-lost", ...common, because: "the one before it was lost" });
  } else {
    report({ code: "question-reordered", ...common, because: "questions keep their order, and new ones come last" });
  }
}

const questionPlace = ({ position }: QuestionRow): { question?: number; of: string } =>
  position === unknownPosition ? { of: "a question" } : { question: position, of: questionName(position) };

/** Judges one question. */
function judgeQuestion(judging: Judging, row: QuestionRow, { keepsPlaces }: ListJudgement): void {
  const place = questionPlace(row);
  judgeGates(judging, row);
  const isSame = row.isKnownById || keepsPlaces;
  if (row.subject !== undefined && (isSame || judging.table.machine.subject === "question")) {
    judgeStates(judging, { subject: row.subject, ...place });
  }
  if (row.versions !== undefined) {
    judgeVersions(judging, row.versions, place);
  }
  // If questions moved, a position no longer means the same question, and the move has its own finding.
  if (isSame) {
    judgeCreationTime(judging, row.created, place);
    judgeText(judging, row);
    judgeContent(judging, row);
  }
}

function judgeGates({ table, report, count }: Judging, row: QuestionRow): void {
  for (const [number, gate] of table.machine.gates.entries()) {
    const observation = row.gateFailures[number];
    count("field-gate", row.gateChecks[number] ?? 0);
    if (observation !== undefined) {
      const because = `${gate.name} failed`;
      report({
        code: "field-gate",
        gate: gate.name,
        first: observation,
        second: observation,
        because,
        ...questionPlace(row),
      });
    }
  }
}

function judgeText({ report, count }: Judging, row: QuestionRow): void {
  const { text } = row;
  count("question-text-changed", (text?.reads ?? 0) - 1);
  if (text?.other !== undefined) {
    const [first, second] = inOrder(text.first.observation, text.other.observation);
    const because = "the text of a question stays as it was asked";
    report({ code: "question-text-changed", first, second, because, ...questionPlace(row) });
  }
}

/** Adds the length to the value, for two contents with equal excerpts. */
const withLength = ({ observation, detail }: KeyedValue): TimedValue =>
  withValue(observation, `${observation.value} (${detail} characters in all)`);

/** Returns the two contents in the order in which a finding reports them, and the kind of change. */
function describeChange(one: KeyedValue, other: KeyedValue): Pick<FindingDraft, "first" | "second" | "because"> {
  const isSame = one.observation.value === other.observation.value;
  const [first, second] = isSame
    ? inOrder(withLength(one), withLength(other))
    : inOrder(one.observation, other.observation);
  const [from, to] = first.exchange === one.observation.exchange ? [one, other] : [other, one];
  const isOtherKind = from.kind !== undefined && to.kind !== undefined && from.kind !== to.kind;
  const hidden = isSame ? "a part that is not quoted here changed, and " : "";
  const change = isOtherKind ? `an ${from.kind} became an ${to.kind}, and ` : hidden;
  return { first, second, because: `${change}a finished question does not change` };
}

/**
 * Reports whether a cancellation may have ended a question that two reads show as finished. It must have been sent before the end of the
 * first read, and may have taken effect after that read was sent. A later cancellation could not change anything. Source: conversation-api,
 * section 1.
 */
const mayBeCancellation = ({ writes }: ConversationRow, a: TimedValue, b: TimedValue): boolean =>
  writes.cancels.some(
    ({ observation }) =>
      observation.sentAtMicros <= Math.min(a.endedAtMicros, b.endedAtMicros) &&
      observation.endedAtMicros >= Math.min(a.sentAtMicros, b.sentAtMicros),
  );

function judgeContent(judging: Judging, row: QuestionRow): void {
  const { content } = row;
  const { report, count } = judging;
  count("terminal-content-changed", (content?.reads ?? 0) - 1);
  if (content?.other === undefined) {
    return;
  }
  const change = { ...describeChange(content.first, content.other), ...questionPlace(row) };
  if (mayBeCancellation(judging.row, change.first, change.second)) {
    const because = "a cancellation may have come before it was seen finished, and its effect is unspecified";
    report({ code: "tolerated-transition", behaviour: cancelBehaviour(judging), ...change, because });
  } else {
    report({ code: "terminal-content-changed", ...change });
  }
}

/**
 * Assigns an epoch to reads that do not show theirs.
 *
 * Two reads are only comparable if no follow-up may lie between them, so both lie in the same gap between follow-ups. A read that overlaps
 * a follow-up is not compared. If the known follow-ups explain the numbers of questions in other reads, the gap after the n-th follow-up is
 * the epoch with n + 1 questions. Otherwise gaps are separate epochs with negative numbers.
 */
function assignEpochs({ subjects, uncounted }: ConversationRow, epochs: Epochs): ReadonlyMap<number, Subject> {
  if (uncounted.length === 0) {
    return subjects;
  }
  const settled = new Map(Array.from(subjects, ([epoch, subject]) => [epoch, copySubject(subject)]));
  const { accepted } = epochs;
  const followUpsExplainAll =
    accepted !== undefined && [...subjects.keys()].every((questions) => questions <= accepted + 1);
  for (const { state, observation } of uncounted) {
    const before = epochs.before(observation);
    if (before !== undefined) {
      addState(getOrCreateSubject(settled, followUpsExplainAll ? before + 1 : -before - 1), state, observation);
    }
  }
  return settled;
}

/**
 * Judges whether questions have the text they were asked with. The creation asked the first question. The follow-ups asked the others if
 * all of them were accepted, each was answered before the next was sent, and no list has more questions.
 */
function judgeAskedTexts(judging: Judging): void {
  const { row, epochs } = judging;
  const { sequence = [] } = epochs;
  const areAll = [...row.list.lengths.keys()].every((length) => length <= 1 + sequence.length);
  const followUps = areAll ? sequence : [];
  const texts = textsByPosition(judging);
  for (const [position, write] of [row.writes.create, ...followUps].entries()) {
    judgeAskedText(judging, { position, write, text: texts.get(position) });
  }
}

/** Returns the text of each question that never changed its position. */
const textsByPosition = ({ row }: Judging): ReadonlyMap<number, Constancy | undefined> =>
  new Map(
    keptRows(row.questions).flatMap(({ position, isMoved, text }) => (isMoved ? [] : [[position, text] as const])),
  );

function judgeAskedText(
  { report, count }: Judging,
  {
    position,
    write,
    text,
  }: { readonly position: number; readonly write: LoggedWrite | undefined; readonly text: Constancy | undefined },
): void {
  const { observation, asked } = write ?? {};
  if (observation === undefined || asked === undefined || text === undefined) {
    return;
  }
  count("question-text-changed", 1);
  if (text.first.key !== asked.digest) {
    report({
      code: "question-text-changed",
      first: withValue(observation, asked.words),
      second: text.first.observation,
      question: position,
      of: questionName(position),
      because: "the text of a question stays as it was asked",
    });
  }
}

/** Receives the results of each conversation. */
export interface Judgement {
  readonly table: StateTable;
  readonly strictEnds: boolean;
  readonly finding: (finding: HistoryFinding) => void;
  readonly count: (code: HistoryCode, times: number) => void;
  readonly staleMicros: (micros: number) => void;
}

/** Judges one conversation without changing its row. */
export function judgeConversation(judgement: Judgement, row: ConversationRow): void {
  const reads: StaleRead[] = [];
  const judging = createJudging(judgement, row, reads);
  const list = judgeList(judging);
  for (const [epoch, subject] of judging.subjects) {
    const question = judgement.table.machine.reopens && epoch > 0 ? { question: epoch - 1 } : {};
    judgeStates(judging, { subject, ...question });
  }
  for (const question of keptRows(row.questions)) {
    judgeQuestion(judging, question, list);
  }
  if (list.keepsPlaces) {
    judgeAskedTexts(judging);
  }
  judgeCreationTime(judging, row.created, { of: "the conversation" });
  judgeVersions(judging, row.versions, {});
  reportOldest(judgement, judging, reads);
}

function createJudging(
  { table, strictEnds, finding, count }: Judgement,
  row: ConversationRow,
  reads: StaleRead[],
): Judging {
  const epochs = computeEpochs(row.writes);
  const staleExchanges = new Set<string>();
  return {
    table,
    row,
    epochs,
    subjects: assignEpochs(row, epochs),
    strictEnds,
    report: (draft) => {
      if (!mayBeDeleted(row, draft)) {
        finding(toFinding(row.conversation, draft));
      }
    },
    stale: (read) => {
      staleExchanges.add(read.second.exchange);
      reads.push(read);
    },
    staleExchanges,
    backExchanges: new Set(),
    count: (code, times) => count(code, Math.max(0, times)),
  };
}

/** The state of a conversation is unspecified after it may have been deleted. */
const mayBeDeleted = (
  { writes }: ConversationRow,
  { first, second }: Pick<FindingDraft, "first" | "second">,
): boolean =>
  writes.deletedMicros !== undefined && Math.max(first.endedAtMicros, second.endedAtMicros) >= writes.deletedMicros;

/** At equal age, a read that shows a state is more useful than one that only shows a time. */
const oldestFirst = (a: StaleRead, b: StaleRead): number =>
  b.staleMicros - a.staleMicros ||
  Number(a.isTime ?? false) - Number(b.isTime ?? false) ||
  (a.question ?? -1) - (b.question ?? -1);

function reportOldest({ staleMicros }: Judgement, judging: Judging, reads: readonly StaleRead[]): void {
  const [oldest] = reads.filter((read) => !mayBeDeleted(judging.row, read)).sort(oldestFirst);
  if (oldest !== undefined) {
    const { question, of = question === undefined ? undefined : questionName(question) } = oldest;
    staleMicros(oldest.staleMicros);
    reportStale(judging, { ...oldest, ...(of === undefined || judging.table.machine.reopens ? {} : { of }) });
  }
}
