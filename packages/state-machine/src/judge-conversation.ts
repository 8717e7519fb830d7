import { subjectOf } from "./conversation-row.ts";
import type { ConversationRow } from "./conversation-row.ts";
import { findingOf } from "./finding-draft.ts";
import type { FindingDraft } from "./finding-draft.ts";
import type { HistoryCode, HistoryFinding } from "./history-report.ts";
import { judgeList } from "./judge-list.ts";
import { judgeStates } from "./judge-states.ts";
import { judgeSpread, judgeVersions, reportStale } from "./judge-times.ts";
import { keptRows } from "./kept-rows.ts";
import { cancelGap, questionWords } from "./report-draft.ts";
import type { Judging, StaleRead } from "./report-draft.ts";
import type { StateTable } from "./state-table.ts";
import { epochsOf } from "./write-log.ts";
import type { Epochs, WriteNote } from "./write-log.ts";
import type { Constancy, WitnessedValue } from "./constancy.ts";
import { inOrder, showing } from "./witness.ts";
import { copiedSubject, seeState } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { noPosition } from "./question-row.ts";
import type { QuestionRow } from "./question-row.ts";
import type { ListJudgement } from "./judge-list.ts";
import type { Witness } from "./witness.ts";

const placeOf = ({ position }: QuestionRow): { question?: number; of: string } =>
  position === noPosition ? { of: "a question" } : { question: position, of: questionWords(position) };

/** Judges what is kept of one question. */
function judgeQuestion(judging: Judging, row: QuestionRow, { keepsPlaces }: ListJudgement): void {
  const place = placeOf(row);
  judgeGates(judging, row);
  const isSame = row.isNamed || keepsPlaces;
  if (row.subject !== undefined && (isSame || judging.table.machine.subject === "question")) {
    judgeStates(judging, { subject: row.subject, ...place });
  }
  if (row.versions !== undefined) {
    judgeVersions(judging, row.versions, place);
  }
  // Where questions moved, the same position is no longer the same question, and the move has a finding of its own.
  if (isSame) {
    judgeSpread(judging, row.created, place);
    judgeText(judging, row);
    judgeContent(judging, row);
  }
}

function judgeGates({ table, report, count }: Judging, row: QuestionRow): void {
  for (const [number, gate] of table.machine.gates.entries()) {
    const witness = row.broken[number];
    count("field-gate", row.looks[number] ?? 0);
    if (witness !== undefined) {
      const because = `${gate.name} does not hold`;
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

/** The content with its length: of another one that begins in the same way, only a part that is not shown differs. */
const inWords = ({ witness, detail }: WitnessedValue): Witness =>
  showing(witness, `${witness.value} (${detail} characters in all)`);

/** Two contents in the order in which a finding names them, and what became of the first one. */
function changeOf(one: WitnessedValue, other: WitnessedValue): Pick<FindingDraft, "first" | "second" | "because"> {
  const isSame = one.witness.value === other.witness.value;
  const [first, second] = isSame ? inOrder(inWords(one), inWords(other)) : inOrder(one.witness, other.witness);
  const [from, to] = first.exchange === one.witness.exchange ? [one, other] : [other, one];
  const isOtherKind = from.kind !== undefined && to.kind !== undefined && from.kind !== to.kind;
  const hidden = isSame ? "a part that is not quoted here changed, and " : "";
  const change = isOtherKind ? `an ${from.kind} became an ${to.kind}, and ` : hidden;
  return { first, second, because: `${change}what is finished stays as it is` };
}

/**
 * Whether a cancellation may be what ended a question that two reads show finished: it was sent before the first of them was over,
 * and may have come after it was sent. One that was sent later found nothing that it could change. Source: conversation-api, section 1.
 */
const mayHaveEnded = ({ writes }: ConversationRow, one: Witness, other: Witness): boolean =>
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
  const change = { ...changeOf(content.first, content.other), ...placeOf(row) };
  if (mayHaveEnded(judging.row, change.first, change.second)) {
    const because = "a cancellation may have come before it was seen finished, and where that leads to is left open";
    report({ code: "tolerated-transition", behaviour: cancelGap(judging), ...change, because });
  } else {
    report({ code: "terminal-content-changed", ...change });
  }
}

/**
 * Puts reads that do not tell their epoch where they belong. Two reads can only be held against each other if no follow-up
 * may lie between them, so both lie in one behaviour between follow-ups; one that overlaps a follow-up belongs to either side and
 * is held against nothing. As long as the known follow-ups explain the numbers of questions that other reads showed, the gap
 * after the n-th one is the epoch with n + 1 questions; else the gaps are epochs of their own, with negative numbers.
 */
function settledSubjects({ subjects, uncounted }: ConversationRow, epochs: Epochs): ReadonlyMap<number, Subject> {
  if (uncounted.length === 0) {
    return subjects;
  }
  const settled = new Map(Array.from(subjects, ([epoch, subject]) => [epoch, copiedSubject(subject)]));
  const { accepted } = epochs;
  const areExplained = accepted !== undefined && [...subjects.keys()].every((questions) => questions <= accepted + 1);
  for (const { state, witness } of uncounted) {
    const before = epochs.before(witness);
    if (before !== undefined) {
      seeState(subjectOf(settled, areExplained ? before + 1 : -before - 1), state, witness);
    }
  }
  return settled;
}

/**
 * Judges whether questions have the text they were asked with. The creation asked the first one. Follow-ups asked the others
 * if all of them were accepted, each was answered before the next was sent, and no list has more questions than those.
 */
function judgeAsked(judging: Judging): void {
  const { row, epochs } = judging;
  const { sequence = [] } = epochs;
  const areAll = [...row.list.lengths.keys()].every((length) => length <= 1 + sequence.length);
  const followUps = areAll ? sequence : [];
  const texts = textsByPosition(judging);
  for (const [position, write] of [row.writes.create, ...followUps].entries()) {
    compareAsked(judging, { position, write, text: texts.get(position) });
  }
}

/** Text of each question that always was at one position. */
const textsByPosition = ({ row }: Judging): ReadonlyMap<number, Constancy | undefined> =>
  new Map(
    keptRows(row.questions).flatMap(({ position, isMoved, text }) => (isMoved ? [] : [[position, text] as const])),
  );

function compareAsked(
  { report, count }: Judging,
  {
    position,
    write,
    text,
  }: { readonly position: number; readonly write: WriteNote | undefined; readonly text: Constancy | undefined },
): void {
  const { witness, asked } = write ?? {};
  if (witness === undefined || asked === undefined || text === undefined) {
    return;
  }
  count("question-text-changed", 1);
  if (text.first.key !== asked.digest) {
    report({
      code: "question-text-changed",
      first: showing(witness, asked.words),
      second: text.first.witness,
      question: position,
      of: questionWords(position),
      because: "the text of a question stays as it was asked",
    });
  }
}

/** Where the judgement of each conversation goes to. */
export interface Judgement {
  readonly table: StateTable;
  readonly strictEnds: boolean;
  readonly finding: (finding: HistoryFinding) => void;
  readonly count: (code: HistoryCode, times: number) => void;
  readonly staleMicros: (micros: number) => void;
}

/** Judges all that is kept of one conversation, and changes none of it. */
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
    judgeAsked(judging);
  }
  judgeSpread(judging, row.created, { of: "the conversation" });
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
    subjects: settledSubjects(row, epochs),
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

/** What a conversation shows once it may have been deleted is left open. */
const mayBeDeleted = (
  { writes }: ConversationRow,
  { first, second }: Pick<FindingDraft, "first" | "second">,
): boolean =>
  writes.deletedMicros !== undefined && Math.max(first.endedAtMicros, second.endedAtMicros) >= writes.deletedMicros;

/** Of reads that are equally old, one that shows a state says more than one that shows only a time. */
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
