import { counted } from "@assay/contract";
import { addState, copySubject, findRegression, listObservations, mergeBounds } from "./bounds.ts";
import type { Bounds, Subject } from "./bounds.ts";
import { shownValue } from "./constancy.ts";
import type { Constancy, KeyedValue } from "./constancy.ts";
import { computeEpochs, listRows, getOrCreateSubject, unknownPosition } from "./conversation-row.ts";
import type { ConversationRow, Epochs, LoggedWrite, QuestionKey, QuestionRow } from "./conversation-row.ts";
import { toFinding, questionName } from "./history-report.ts";
import type { FindingDraft, HistoryCode, HistoryFinding } from "./history-report.ts";
import { cancelBehaviour, judgeCreationTime, judgeStates, judgeVersions, reportStale } from "./judge-states.ts";
import type { JudgingContext, StaleRead } from "./judge-states.ts";
import type { StateTable } from "./state-table.ts";
import { inOrder, isBefore, withValue } from "./timed-value.ts";
import type { Session, TimedValue } from "./timed-value.ts";

/** Reports whether a position always means the same question, for questions identified by position. */
export interface ListJudgement {
  readonly keepsPositions: boolean;
}

/** Judges whether lists of questions only grow at their end. */
export function judgeList(judging: JudgingContext): ListJudgement {
  const { list } = judging.row;
  const { beginnings } = list;
  judging.count("question-lost", list.readCount - 1);
  judging.count("question-reordered", Math.max(countPairs(beginnings.id[1]), countPairs(beginnings.text[1])));
  judging.count("question-id-changed", countPairs(beginnings.id[0]));
  judging.count("question-duplicated", list.idListCount);
  reportDuplicateId(judging);
  const isLost = judgeLengths(judging);
  judgeBeginnings(judging, { by: "id", isLost });
  return { keepsPositions: judgeBeginnings(judging, { by: "text", isLost }) };
}

const countPairs = (constancy: Constancy | undefined): number => Math.max(0, (constancy?.readCount ?? 0) - 1);

function reportDuplicateId({ row, report }: JudgingContext): void {
  const { duplicateId } = row.list;
  if (duplicateId !== undefined) {
    const observation = shownValue(duplicateId.first);
    report({
      code: "question-duplicated",
      first: observation,
      second: observation,
      owner: "the id",
      reason: "one list contains it twice",
    });
  }
}

const withQuestionCount = (observation: TimedValue, length: number): TimedValue =>
  withValue(observation, counted(length, "question"));

/**
 * Judges the numbers of questions. A smaller one later means an older version or a loss. Returns true for a loss, which is reported once.
 */
function judgeLengths({ row, report, collectStaleRead }: JudgingContext): boolean {
  const byLength = [...row.list.lengths].sort(([a], [b]) => b - a);
  let high: Bounds | undefined;
  let isLost = false;
  const lengthOf = new Map<string, number>();
  for (const [length, low] of byLength) {
    const regression =
      high && findRegression({ high, low, isLowInitial: length === 1, highEndMicros: sessionEnds(high) });
    if (regression !== undefined) {
      const first = withQuestionCount(regression.first, lengthOf.get(regression.first.exchange) ?? 0);
      const second = withQuestionCount(regression.second, length);
      if (regression.kind === "stale") {
        collectStaleRead({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros });
      } else if (!isLost) {
        isLost = true;
        report({ code: "question-lost", first, second, reason: "questions are only ever added" });
      }
    }
    high = high === undefined ? low : mergeBounds([high, low]);
    recordLength(lengthOf, low, length);
  }
  return isLost;
}

function recordLength(lengthOf: Map<string, number>, bounds: Bounds, length: number): void {
  for (const observation of listObservations(bounds)) {
    if (observation !== undefined) {
      lengthOf.set(observation.exchange, length);
    }
  }
}

/** Returns the first end per session. Enough to recognize a list that remains short. */
const sessionEnds =
  ({ minEnd, minSent, maxSent, secondLastSent }: Bounds) =>
  (session: Session): number =>
    Math.min(
      ...[minEnd, minSent, maxSent, secondLastSent].map((read) =>
        read?.session === session ? read.endedAtMicros : Number.POSITIVE_INFINITY,
      ),
    );

/** Finds the first position at which two lists differ. Returns true if every position always means the same question. */
function judgeBeginnings(judging: JudgingContext, { by, isLost }: { by: QuestionKey; isLost: boolean }): boolean {
  const beginnings = judging.row.list.beginnings[by];
  const position = beginnings.findIndex((beginning) => beginning?.firstDifferent !== undefined);
  const difference = beginnings[position];
  if (difference?.firstDifferent === undefined) {
    return true;
  }
  const { first, firstDifferent } = difference;
  const hasMoved = by === "id" ? createMovedIdTest(judging) : createMovedTextTest(beginnings, position);
  const movedValues = [first, firstDifferent].filter(({ detail }) => hasMoved(detail));
  if (movedValues.length === 0 && by === "text") {
    // Questions identified by position may change their text: `judgeText` compares that.
    return true;
  }
  reportDifference(judging, { position, pair: [first, firstDifferent], movedValues, isLost });
  return false;
}

function createMovedIdTest({ row }: JudgingContext): (digest: number) => boolean {
  const movedDigests = new Set(
    listRows(row.questions).flatMap((question) => (isMovedId(question) ? [question.key] : [])),
  );
  return (digest) => movedDigests.has(digest);
}

const isMovedId = ({ isKnownById, hasMoved }: QuestionRow): boolean => isKnownById && hasMoved;

function createMovedTextTest(
  beginnings: readonly (Constancy | undefined)[],
  position: number,
): (digest: number) => boolean {
  const laterDigests = new Set(
    beginnings.slice(position + 1).flatMap((beginning) => [beginning?.first.detail, beginning?.firstDifferent?.detail]),
  );
  return (digest) => laterDigests.has(digest);
}

interface Difference {
  readonly position: number;
  readonly pair: readonly [KeyedValue, KeyedValue];
  readonly movedValues: readonly KeyedValue[];
  /** Set if a loss was already reported. */
  readonly isLost: boolean;
}

/**
 * Reports a difference between two lists. If both questions also appear at other positions, they were swapped. If only one does, its
 * direction decides: if it moved up, the other one was lost. If it moved down, a question was inserted before it. If neither does, the
 * question has a new id.
 */
function reportDifference({ report }: JudgingContext, { position, pair, movedValues, isLost }: Difference): void {
  const [a, b] = [shownValue(pair[0]), shownValue(pair[1])];
  const [first, second] = inOrder(a, b);
  const isOrdered = isBefore(first, second);
  const owner = `${questionName(position)} as`;
  const common = { first, second, question: position, owner };
  const [onlyMoved] = movedValues;
  if (onlyMoved === undefined) {
    report({ code: "question-id-changed", ...common, reason: "a question keeps its id" });
  } else if (movedValues.length === 1 && isOrdered && onlyMoved === pair[second === a ? 0 : 1]) {
    if (isLost) {
      return;
    }
    report({ code: "question-lost", ...common, reason: "the one before it was lost" });
  } else {
    report({ code: "question-reordered", ...common, reason: "questions keep their order, and new ones come last" });
  }
}

const describeOwner = ({ position }: QuestionRow): { question?: number; owner: string } =>
  position === unknownPosition ? { owner: "a question" } : { question: position, owner: questionName(position) };

/** Judges one question. */
function judgeQuestion(judging: JudgingContext, row: QuestionRow, { keepsPositions }: ListJudgement): void {
  const owner = describeOwner(row);
  judgeGates(judging, row);
  const hasStableIdentity = row.isKnownById || keepsPositions;
  if (row.subject !== undefined && (hasStableIdentity || judging.table.machine.subject === "question")) {
    judgeStates(judging, { subject: row.subject, ...owner });
  }
  if (row.versions !== undefined) {
    judgeVersions(judging, row.versions, owner);
  }
  // If questions moved, a position no longer means the same question, and the move has its own finding.
  if (hasStableIdentity) {
    judgeCreationTime(judging, row.creationTime, owner);
    judgeText(judging, row);
    judgeContent(judging, row);
  }
}

function judgeGates({ table, report, count }: JudgingContext, row: QuestionRow): void {
  count("field-gate", row.gateChecks);
  for (const [number, gate] of table.machine.gates.entries()) {
    const observation = row.gateFailures?.[number];
    if (observation !== undefined) {
      const reason = `${gate.name} failed`;
      report({
        code: "field-gate",
        gate: gate.name,
        first: observation,
        second: observation,
        reason,
        ...describeOwner(row),
      });
    }
  }
}

function judgeText({ report, count }: JudgingContext, row: QuestionRow): void {
  const { text } = row;
  count("question-text-changed", (text?.readCount ?? 0) - 1);
  if (text?.firstDifferent !== undefined) {
    const [first, second] = inOrder(shownValue(text.first), shownValue(text.firstDifferent));
    const reason = "the text of a question stays as it was asked";
    report({ code: "question-text-changed", first, second, reason, ...describeOwner(row) });
  }
}

/** Adds the length to the value, for two contents with equal excerpts. */
const withLength = ({ observation, text, detail }: KeyedValue): TimedValue =>
  withValue(observation, `${text} (${detail} characters in all)`);

/** Returns the two contents in the order in which a finding reports them, and the kind of change. */
function describeChange(a: KeyedValue, b: KeyedValue): Pick<FindingDraft, "first" | "second" | "reason"> {
  const hasSameExcerpt = a.text === b.text;
  const [first, second] = hasSameExcerpt
    ? inOrder(withLength(a), withLength(b))
    : inOrder(shownValue(a), shownValue(b));
  const [from, to] = first.exchange === a.observation.exchange ? [a, b] : [b, a];
  const hasKindChanged = from.kind !== undefined && to.kind !== undefined && from.kind !== to.kind;
  const unquotedChange = hasSameExcerpt ? "a part that is not quoted here changed, and " : "";
  const change = hasKindChanged ? `an ${from.kind} became an ${to.kind}, and ` : unquotedChange;
  return { first, second, reason: `${change}a finished question does not change` };
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

function judgeContent(judging: JudgingContext, row: QuestionRow): void {
  const { content } = row;
  const { report, count } = judging;
  count("terminal-content-changed", (content?.readCount ?? 0) - 1);
  if (content?.firstDifferent === undefined) {
    return;
  }
  const change = { ...describeChange(content.first, content.firstDifferent), ...describeOwner(row) };
  if (mayBeCancellation(judging.row, change.first, change.second)) {
    const reason = "a cancellation may have come before it was seen finished, and its effect is unspecified";
    report({ code: "tolerated-transition", behaviour: cancelBehaviour(judging), ...change, reason });
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
function assignEpochs({ subjects, statesWithoutEpoch }: ConversationRow, epochs: Epochs): ReadonlyMap<number, Subject> {
  if (statesWithoutEpoch.length === 0) {
    return subjects;
  }
  const assignedSubjects = new Map(Array.from(subjects, ([epoch, subject]) => [epoch, copySubject(subject)]));
  const { acceptedCount } = epochs;
  const followUpsExplainAll =
    acceptedCount !== undefined && [...subjects.keys()].every((questions) => questions <= acceptedCount + 1);
  for (const { state, observation } of statesWithoutEpoch) {
    const followUpCount = epochs.before(observation);
    if (followUpCount !== undefined) {
      addState(
        getOrCreateSubject(assignedSubjects, followUpsExplainAll ? followUpCount + 1 : -followUpCount - 1),
        state,
        observation,
      );
    }
  }
  return assignedSubjects;
}

/**
 * Judges whether questions have the text they were asked with. The creation asked the first question. The follow-ups asked the others if
 * all of them were accepted, each was answered before the next was sent, and no list has more questions. It is unknown whether a
 * follow-up without a question added one.
 */
function judgeAskedTexts(judging: JudgingContext): void {
  const { row, epochs } = judging;
  const { sequence = [] } = epochs;
  const explainsAllLists = [...row.list.lengths.keys()].every((length) => length <= 1 + sequence.length);
  const unknownIndex = sequence.findIndex(({ askedQuestion }) => askedQuestion === undefined);
  const followUps = explainsAllLists ? sequence.slice(0, unknownIndex === -1 ? undefined : unknownIndex) : [];
  const texts = textsByPosition(judging);
  for (const [position, write] of [row.writes.create, ...followUps].entries()) {
    judgeAskedText(judging, { position, write, text: texts.get(position) });
  }
}

/** Returns the text of each question that never changed its position. */
const textsByPosition = ({ row }: JudgingContext): ReadonlyMap<number, Constancy | undefined> =>
  new Map(
    listRows(row.questions).flatMap(({ position, hasMoved, text }) => (hasMoved ? [] : [[position, text] as const])),
  );

function judgeAskedText(
  { report, count }: JudgingContext,
  {
    position,
    write,
    text,
  }: { readonly position: number; readonly write: LoggedWrite | undefined; readonly text: Constancy | undefined },
): void {
  const { observation, askedQuestion } = write ?? {};
  if (observation === undefined || askedQuestion === undefined || text === undefined) {
    return;
  }
  count("question-text-changed", 1);
  if (text.first.key !== askedQuestion.digest) {
    report({
      code: "question-text-changed",
      first: withValue(observation, askedQuestion.excerpt),
      second: shownValue(text.first),
      question: position,
      owner: questionName(position),
      reason: "the text of a question stays as it was asked",
    });
  }
}

/** Receives the results of each conversation. */
export interface Judgement {
  readonly table: StateTable;
  readonly strictEnds: boolean;
  readonly addFinding: (finding: HistoryFinding) => void;
  readonly count: (code: HistoryCode, times: number) => void;
  readonly recordStaleMicros: (micros: number) => void;
}

/** Judges one conversation without changing its row. */
export function judgeConversation(judgement: Judgement, row: ConversationRow): void {
  const staleReads: StaleRead[] = [];
  const judging = createJudging(judgement, row, staleReads);
  const list = judgeList(judging);
  for (const [epoch, subject] of judging.subjects) {
    const question = judgement.table.machine.reopens && epoch > 0 ? { question: epoch - 1 } : {};
    judgeStates(judging, { subject, ...question });
  }
  for (const question of listRows(row.questions)) {
    judgeQuestion(judging, question, list);
  }
  if (list.keepsPositions) {
    judgeAskedTexts(judging);
  }
  judgeCreationTime(judging, row.creationTime, { owner: "the conversation" });
  judgeVersions(judging, row.versions, {});
  reportOldest(judgement, judging, staleReads);
}

function createJudging(
  { table, strictEnds, addFinding, count }: Judgement,
  row: ConversationRow,
  staleReads: StaleRead[],
): JudgingContext {
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
        addFinding(toFinding(row.conversation, draft));
      }
    },
    collectStaleRead: (read) => {
      staleExchanges.add(read.second.exchange);
      staleReads.push(read);
    },
    staleExchanges,
    regressedExchanges: new Set(),
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
const byAge = (a: StaleRead, b: StaleRead): number =>
  b.staleMicros - a.staleMicros ||
  Number(a.showsOnlyTime ?? false) - Number(b.showsOnlyTime ?? false) ||
  (a.question ?? -1) - (b.question ?? -1);

function reportOldest(
  { recordStaleMicros }: Judgement,
  judging: JudgingContext,
  staleReads: readonly StaleRead[],
): void {
  const [oldest] = staleReads.filter((read) => !mayBeDeleted(judging.row, read)).sort(byAge);
  if (oldest !== undefined) {
    const { question, owner = question === undefined ? undefined : questionName(question) } = oldest;
    recordStaleMicros(oldest.staleMicros);
    reportStale(judging, { ...oldest, ...(owner === undefined || judging.table.machine.reopens ? {} : { owner }) });
  }
}
