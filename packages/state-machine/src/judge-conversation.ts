import type { Constancy, WitnessedValue } from "./constancy.ts";
import { keptRows, unknownPosition, subjectOf } from "./conversation-row.ts";
import type { ConversationRow, QuestionRow } from "./conversation-row.ts";
import type { HistoryCode, HistoryFinding } from "./history-report.ts";
import { judgeList } from "./judge-list.ts";
import type { ListJudgement } from "./judge-list.ts";
import { judgeStates } from "./judge-states.ts";
import { judgeCreationTime, judgeVersions, reportStale } from "./judge-times.ts";
import { cancelBehaviour, findingOf, questionWords } from "./judging.ts";
import type { FindingDraft, Judging, StaleRead } from "./judging.ts";
import type { StateTable } from "./state-table.ts";
import { copySubject, addState } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { inOrder, withValue } from "./witness.ts";
import type { Witness } from "./witness.ts";
import { epochsOf } from "./write-log.ts";
import type { Epochs, LoggedWrite } from "./write-log.ts";

const placeOf = ({ position }: QuestionRow): { question?: number; of: string } =>
  position === unknownPosition ? { of: "a question" } : { question: position, of: questionWords(position) };

/** Judges one question. */
function judgeQuestion(judging: Judging, row: QuestionRow, { keepsPlaces }: ListJudgement): void {
  const place = placeOf(row);
  judgeGates(judging, row);
  const isSame = row.isKnownById || keepsPlaces;
  if (row.subject !== undefined && (isSame || judging.table.machine.subject === "question")) {
    judgeStates(judging, { subject: row.subject, ...place });
  }
  if (row.versions !== undefined) {
    judgeVersions(judging, row.versions, place);
  }
  // If questions moved, the same position is no longer the same question, and the move has its own finding.
  if (isSame) {
    judgeCreationTime(judging, row.created, place);
    judgeText(judging, row);
    judgeContent(judging, row);
  }
}

function judgeGates({ table, report, count }: Judging, row: QuestionRow): void {
  for (const [number, gate] of table.machine.gates.entries()) {
    const witness = row.gateFailures[number];
    count("field-gate", row.gateChecks[number] ?? 0);
    if (witness !== undefined) {
      const because = `${gate.name} failed`;
      report({ code: "field-gate", gate: gate.name, first: witness, second: witness, because, ...placeOf(row) });
    }
  }
}

function judgeText({ report, count }: Judging, row: QuestionRow): void {
  const { text } = row;
  count("question-text-changed", (text?.reads ?? 0) - 1);
  if (text?.other !== undefined) {
    const [first, second] = inOrder(text.first.witness, text.other.witness);
    const because = "the text of a question stays as it was asked";
    report({ code: "question-text-changed", first, second, because, ...placeOf(row) });
  }
}

/** Adds the length, for two contents whose excerpts are equal. */
const withLength = ({ witness, detail }: WitnessedValue): Witness =>
  withValue(witness, `${witness.value} (${detail} characters in all)`);

/** The two contents in the order a finding names them, and how the content changed. */
function describeChange(
  one: WitnessedValue,
  other: WitnessedValue,
): Pick<FindingDraft, "first" | "second" | "because"> {
  const isSame = one.witness.value === other.witness.value;
  const [first, second] = isSame ? inOrder(withLength(one), withLength(other)) : inOrder(one.witness, other.witness);
  const [from, to] = first.exchange === one.witness.exchange ? [one, other] : [other, one];
  const isOtherKind = from.kind !== undefined && to.kind !== undefined && from.kind !== to.kind;
  const hidden = isSame ? "a part that is not quoted here changed, and " : "";
  const change = isOtherKind ? `an ${from.kind} became an ${to.kind}, and ` : hidden;
  return { first, second, because: `${change}a finished question does not change` };
}

/**
 * True if a cancellation may have ended a question that two reads show as finished. It was sent before the first of them
 * ended, and may have taken effect after that read was sent. A later cancellation could not change anything. Source:
 * conversation-api, section 1.
 */
const mayBeCancellation = ({ writes }: ConversationRow, one: Witness, other: Witness): boolean =>
  writes.cancels.some(
    ({ witness }) =>
      witness.sentAtMicros <= Math.min(one.endedAtMicros, other.endedAtMicros) &&
      witness.endedAtMicros >= Math.min(one.sentAtMicros, other.sentAtMicros),
  );

function judgeContent(judging: Judging, row: QuestionRow): void {
  const { content } = row;
  const { report, count } = judging;
  count("terminal-content-changed", (content?.reads ?? 0) - 1);
  if (content?.other === undefined) {
    return;
  }
  const change = { ...describeChange(content.first, content.other), ...placeOf(row) };
  if (mayBeCancellation(judging.row, change.first, change.second)) {
    const because = "a cancellation may have come before it was seen finished, and its effect is unspecified";
    report({ code: "tolerated-transition", behaviour: cancelBehaviour(judging), ...change, because });
  } else {
    report({ code: "terminal-content-changed", ...change });
  }
}

/**
 * Assigns reads that do not show their epoch to one.
 *
 * Two reads can only be compared if no follow-up may lie between them, so both lie in one gap between follow-ups. A read
 * that overlaps a follow-up is compared with nothing. If the known follow-ups explain the numbers of questions in other
 * reads, the gap after the n-th follow-up is the epoch with n + 1 questions. Otherwise gaps are epochs of their own, with
 * negative numbers.
 */
function assignEpochs({ subjects, uncounted }: ConversationRow, epochs: Epochs): ReadonlyMap<number, Subject> {
  if (uncounted.length === 0) {
    return subjects;
  }
  const settled = new Map(Array.from(subjects, ([epoch, subject]) => [epoch, copySubject(subject)]));
  const { accepted } = epochs;
  const followUpsExplainAll =
    accepted !== undefined && [...subjects.keys()].every((questions) => questions <= accepted + 1);
  for (const { state, witness } of uncounted) {
    const before = epochs.before(witness);
    if (before !== undefined) {
      addState(subjectOf(settled, followUpsExplainAll ? before + 1 : -before - 1), state, witness);
    }
  }
  return settled;
}

/**
 * Judges whether questions have the text they were asked with. The creation asked the first question. The follow-ups asked
 * the others if all of them were accepted, each was answered before the next was sent, and no list has more questions.
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

/** Text of each question that never changed its position. */
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
  const { witness, asked } = write ?? {};
  if (witness === undefined || asked === undefined || text === undefined) {
    return;
  }
  count("question-text-changed", 1);
  if (text.first.key !== asked.digest) {
    report({
      code: "question-text-changed",
      first: withValue(witness, asked.words),
      second: text.first.witness,
      question: position,
      of: questionWords(position),
      because: "the text of a question stays as it was asked",
    });
  }
}

/** Receives the results for each conversation. */
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
  const judging = judgingOf(judgement, row, reads);
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

function judgingOf(
  { table, strictEnds, finding, count }: Judgement,
  row: ConversationRow,
  reads: StaleRead[],
): Judging {
  const epochs = epochsOf(row.writes);
  const staleExchanges = new Set<string>();
  return {
    table,
    row,
    epochs,
    subjects: assignEpochs(row, epochs),
    strictEnds,
    report: (draft) => {
      if (!mayBeDeleted(row, draft)) {
        finding(findingOf(row.conversation, draft));
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

/** What a conversation shows after it may have been deleted is unspecified. */
const mayBeDeleted = (
  { writes }: ConversationRow,
  { first, second }: Pick<FindingDraft, "first" | "second">,
): boolean =>
  writes.deletedMicros !== undefined && Math.max(first.endedAtMicros, second.endedAtMicros) >= writes.deletedMicros;

/** For the same age, a read that shows a state is more helpful than one that only shows a time. */
const oldestFirst = (a: StaleRead, b: StaleRead): number =>
  b.staleMicros - a.staleMicros ||
  Number(a.isTime ?? false) - Number(b.isTime ?? false) ||
  (a.question ?? -1) - (b.question ?? -1);

function reportOldest({ staleMicros }: Judgement, judging: Judging, reads: readonly StaleRead[]): void {
  const [oldest] = reads.filter((read) => !mayBeDeleted(judging.row, read)).sort(oldestFirst);
  if (oldest !== undefined) {
    const { question, of = question === undefined ? undefined : questionWords(question) } = oldest;
    staleMicros(oldest.staleMicros);
    reportStale(judging, { ...oldest, ...(of === undefined || judging.table.machine.reopens ? {} : { of }) });
  }
}
