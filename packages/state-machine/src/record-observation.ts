import type { FieldGate } from "@assay/contract";
import { addState, addVersion } from "./bounds.ts";
import { addTime, addValue } from "./constancy.ts";
import {
  addLength,
  addMembers,
  newRowById,
  newRowByPosition,
  recordContent,
  recordPosition,
  recordStatus,
  recordText,
  getOrCreateRow,
  getOrCreateSubject,
  unknownPosition,
} from "./conversation-row.ts";
import type {
  AskedQuestion,
  ConversationRow,
  LoggedWrite,
  Member,
  QuestionKey,
  QuestionRow,
  WriteLog,
} from "./conversation-row.ts";
import type { Instant } from "./instant.ts";
import type { Read, Write } from "./observation.ts";
import { toShownSnapshot, toValues } from "./shown-values.ts";
import type { ShownQuestion, ShownSnapshot, ValueContext } from "./shown-values.ts";
import type { StateTable } from "./state-table.ts";
import { boundedKey, excerpt } from "./text-digest.ts";
import { countOf, endsEarlier, noReads, normaliseInterval, withValue, withVersion } from "./timed-value.ts";
import type { Sessions, TimedValue } from "./timed-value.ts";

/** Data shared by all conversations of a checker. */
export interface CheckerContext extends Sessions, ValueContext {
  readonly readInstant: (text: string | undefined) => Instant;
}

/** One response about a conversation. */
export interface AnswerContext {
  readonly row: ConversationRow;
  readonly observation: TimedValue;
  readonly snapshot: ShownSnapshot;
  readonly state: number | undefined;
  /** Set if it contains only some of the questions. */
  readonly isPartial: boolean;
  /** The question asked by the write. */
  readonly askedQuestion: AskedQuestion | undefined;
}

type Facts = ReadonlySet<string>;

const noFacts: readonly string[] = [];
const isExempt = ({ unless = noFacts }: FieldGate, facts: Facts): boolean => unless.some((fact) => facts.has(fact));
const isSatisfied = ({ forbids = noFacts, requires = noFacts }: FieldGate, facts: Facts): boolean =>
  !forbids.some((fact) => facts.has(fact)) && requires.every((fact) => facts.has(fact));

/** Describes the facts that the gate forbids but the question has, and the required facts that it lacks. */
function describeGateFailure({ forbids = noFacts, requires = noFacts }: FieldGate, facts: Facts): string {
  const present = forbids.filter((fact) => facts.has(fact));
  const missing = requires.filter((fact) => !facts.has(fact));
  return [
    ...(present.length > 0 ? [`with ${present.join(", ")}`] : []),
    ...(missing.length > 0 ? [`without ${missing.join(", ")}`] : []),
  ].join(" and ");
}

/** Checks the gates of the question's state. */
function checkGates(
  row: QuestionRow,
  observation: TimedValue,
  gateContext: { readonly table: StateTable; readonly state: number; readonly facts: Facts },
): void {
  const { table, state, facts } = gateContext;
  for (const { number, gate } of table.gatesOf(state)) {
    if (isExempt(gate, facts)) {
      continue;
    }
    row.gateChecks += countOf(observation);
    if (!isSatisfied(gate, facts)) {
      const value = `${table.nameOf(state)} ${describeGateFailure(gate, facts)}`;
      row.gateFailures ??= [];
      row.gateFailures[number] = earliest(row.gateFailures[number], withValue(observation, value));
    }
  }
}

const earliest = (current: TimedValue | undefined, observation: TimedValue): TimedValue =>
  current === undefined || endsEarlier(observation, current) ? observation : current;

interface QuestionContext {
  readonly row: QuestionRow;
  readonly question: ShownQuestion;
  /** Infinite if the response does not show it. */
  readonly position: number;
  readonly isLast: boolean;
  /** Its text, if questions are identified by text. */
  readonly member: Member | undefined;
}

/** Records everything a response shows about one question. */
function recordQuestion(checker: CheckerContext, answer: AnswerContext, context: QuestionContext): void {
  const { row, question, position, isLast } = context;
  recordPosition(row, position);
  if (checker.table.machine.subject === "question") {
    recordWithOwnState(checker, answer.observation, context);
  } else {
    const state = checker.table.numberOf(question.status);
    recordStatus(row, answer.observation, { state, hasVersion: false });
    recordTextAndCreation(checker, answer.observation, context);
    recordInState(checker, answer.observation, { row, question, state: answer.state, isLast });
  }
}

/** Records a question with its own state. */
function recordWithOwnState(checker: CheckerContext, base: TimedValue, context: QuestionContext): void {
  const { row, question } = context;
  const state = checker.table.numberOf(question.status);
  const updated = checker.readInstant(question.updatedAt);
  const observation = withOwnVersion(base, updated);
  recordStatus(row, observation, { state, hasVersion: !Number.isNaN(updated.micros) });
  recordTextAndCreation(checker, observation, context);
  recordInState(checker, observation, { row, question, state, isLast: true });
}

function recordTextAndCreation(
  { readInstant, digestText }: CheckerContext,
  observation: TimedValue,
  { row, question, member }: QuestionContext,
): void {
  const { text, createdAt } = question;
  row.creationTime = addTime(row.creationTime, observation, { text: createdAt, instant: readInstant(createdAt) });
  if (text !== undefined) {
    recordText(row, observation, member ?? { digest: digestText(text), text });
  }
}

interface StateContext {
  readonly row: QuestionRow;
  readonly question: ShownQuestion;
  readonly state: number | undefined;
  /** The state of a conversation is that of its last question. */
  readonly isLast: boolean;
}

function recordInState(
  { table }: CheckerContext,
  observation: TimedValue,
  { row, question, state, isLast }: StateContext,
): void {
  if (state === undefined) {
    return;
  }
  const { content, facts } = question;
  if (content !== undefined) {
    recordContent(row, observation, { content, state: table.nameOf(state) });
  }
  if (isLast) {
    checkGates(row, observation, { table, state, facts });
  }
}

/** Returns the observation with the question's own update time. Usually both times are equal. */
function withOwnVersion(base: TimedValue, own: Instant): TimedValue {
  const { micros, unitMicros } = base.updated;
  return Number.isNaN(own.micros) || (own.micros === micros && own.unitMicros === unitMicros)
    ? base
    : withVersion(base, own);
}

/** The questions of a response and their identification: by ids if all of them have one, otherwise by text. */
interface Listing {
  readonly questions: readonly ShownQuestion[];
  readonly members: readonly Member[];
  readonly by: QuestionKey | undefined;
}

const hasId = ({ id }: ShownQuestion): boolean => id !== undefined;
const hasText = ({ text }: ShownQuestion): boolean => text !== undefined;

function chooseQuestionKey(questions: readonly ShownQuestion[]): QuestionKey | undefined {
  if (questions.every(hasId)) {
    return "id";
  }
  return questions.every(hasText) ? "text" : undefined;
}

function createListing({ digestText }: CheckerContext, questions: readonly ShownQuestion[]): Listing {
  const by = chooseQuestionKey(questions);
  const members = questions.map(({ id = "", text = "" }) => {
    const key = by === "id" ? id : text;
    return { digest: digestText(key), text: key };
  });
  return { questions, by, members };
}

/** Records the questions of a response, as a list and individually. */
export function recordQuestions(checker: CheckerContext, answer: AnswerContext): void {
  const { questions, questionCount = 0 } = answer.snapshot;
  const listing = createListing(checker, questions);
  const { by, members } = listing;
  // A list with a duplicate id does not show the positions of questions.
  if (by === "id" && recordDuplicateId(answer, members)) {
    return;
  }
  if (answer.isPartial) {
    recordOnlyQuestion(checker, answer, listing);
    return;
  }
  if (by !== undefined) {
    addMembers(answer.row.list, answer.observation, { by, members });
  }
  const last = questionCount - 1;
  listing.questions.forEach((question, position) => {
    const row = rowAtPosition(answer, listing, position);
    const member = by === "text" ? members[position] : undefined;
    if (row !== undefined) {
      recordQuestion(checker, answer, { row, question, position, isLast: position === last, member });
    }
  });
}

/** Positions have negative numbers, so that they are never discarded. */
const rowAtPosition = ({ row }: AnswerContext, { by, members }: Listing, position: number): QuestionRow | undefined =>
  by === "id"
    ? getOrCreateRow(row.questions, members[position]?.digest ?? 0, newRowById)
    : getOrCreateRow(row.questions, -1 - position, newRowByPosition);

/** The response to a follow-up contains only the question it asked, which can only be identified by its id. */
function recordOnlyQuestion(checker: CheckerContext, answer: AnswerContext, listing: Listing): void {
  const { askedQuestion, observation } = answer;
  const [question] = listing.questions;
  const row = listing.by === "id" && question !== undefined ? rowAtPosition(answer, listing, 0) : undefined;
  if (row === undefined || question === undefined) {
    return;
  }
  recordQuestion(checker, answer, { row, question, position: unknownPosition, isLast: true, member: undefined });
  if (askedQuestion !== undefined) {
    recordText(row, observation, { digest: askedQuestion.digest, text: askedQuestion.excerpt });
  }
}

/** Records a duplicate id. Returns true if there is one. */
function recordDuplicateId({ row, observation }: AnswerContext, members: readonly Member[]): boolean {
  if (members.length < 2) {
    return false;
  }
  row.list.idListCount += countOf(observation);
  const duplicate = firstDuplicate(members);
  if (duplicate !== undefined) {
    row.list.duplicateId = addValue(row.list.duplicateId, observation, { key: 0, detail: 0, text: duplicate.text });
  }
  return duplicate !== undefined;
}

const maxPairwiseMembers = 8;

/** Returns the first member that appears earlier in the list. Short lists are compared pairwise, which is faster. */
function firstDuplicate(members: readonly Member[]): Member | undefined {
  if (members.length <= maxPairwiseMembers) {
    return members.find(({ digest }, index) => members.findIndex((member) => member.digest === digest) < index);
  }
  const digests = new Set<number>();
  return members.find(({ digest }) => digests.size === digests.add(digest).size);
}

/** Records everything a response shows. Linear in the number of questions. Reads at most 1024 of them. */
function recordSnapshot(checker: CheckerContext, answer: AnswerContext): void {
  const { row, observation, snapshot, state, isPartial } = answer;
  addVersion(row.versions, observation, state);
  const { createdAt } = snapshot;
  row.creationTime = addTime(row.creationTime, observation, {
    text: createdAt,
    instant: checker.readInstant(createdAt),
  });
  if (snapshot.questionCount !== undefined && !isPartial) {
    addLength(row.list, snapshot.questionCount, observation);
  }
  recordConversationState(checker, answer);
  recordQuestions(checker, answer);
}

/** A conversation has at least one question, so a response without questions does not show its epoch. */
function recordConversationState(
  { table }: CheckerContext,
  { row, observation, snapshot, state, isPartial }: AnswerContext,
): void {
  if (state === undefined) {
    return;
  }
  const count = isPartial ? 0 : (snapshot.questionCount ?? 0);
  if (!table.machine.reopens) {
    addState(getOrCreateSubject(row.subjects, 0), state, observation);
  } else if (count > 0) {
    addState(getOrCreateSubject(row.subjects, count), state, observation);
  } else {
    row.statesWithoutEpoch.push({ state, observation });
  }
}

/** Returns the observation without its snapshot. */
export function toTimedValue(
  { readInstant, getSession }: CheckerContext,
  observation: Read | Write,
  updatedAt: string | undefined,
): TimedValue {
  const hasEnd = observation.kind === "read" || observation.outcome === "accepted";
  const [sentAtMicros, endedAtMicros] = normaliseInterval(
    observation.sentAtMicros,
    hasEnd ? observation.endedAtMicros : Number.POSITIVE_INFINITY,
  );
  return {
    kind: observation.kind === "read" ? "read" : observation.write,
    exchange: boundedKey(observation.exchange),
    session: getSession(observation.session),
    sentAtMicros,
    endedAtMicros,
    value: "",
    updated: readInstant(updatedAt),
    equalReads: noReads,
  };
}

const conversationState = ({ table }: CheckerContext, { state }: ShownSnapshot): number | undefined =>
  table.machine.subject === "conversation" ? table.numberOf(state) : undefined;

/** A response to a read, and what it shows. */
export interface ShownRead {
  readonly observation: TimedValue;
  readonly snapshot: ShownSnapshot;
}

export function recordRead(checker: CheckerContext, row: ConversationRow, { observation, snapshot }: ShownRead): void {
  const state = conversationState(checker, snapshot);
  recordSnapshot(checker, { row, observation, snapshot, state, isPartial: false, askedQuestion: undefined });
}

/** A write, and what its response shows. */
export interface ShownWrite extends LoggedWrite {
  readonly snapshot: ShownSnapshot | undefined;
}

export function toShownWrite(checker: CheckerContext, write: Write): ShownWrite {
  const isAccepted = write.outcome === "accepted" && write.endedAtMicros !== undefined;
  const text = write.text === undefined ? undefined : boundedKey(write.text);
  return {
    observation: toTimedValue(checker, write, write.snapshot?.updatedAt),
    isAccepted,
    askedQuestion: text === undefined ? undefined : { digest: checker.digestText(text), excerpt: excerpt(text) },
    snapshot:
      write.snapshot === undefined ? undefined : toShownSnapshot(checker.table, toValues(checker, write.snapshot)),
  };
}

export function recordWrite(checker: CheckerContext, row: ConversationRow, { snapshot, ...write }: ShownWrite): void {
  const { observation, isAccepted, askedQuestion } = write;
  logWrite(row.writes, write);
  if (snapshot !== undefined && isAccepted) {
    const { questionCount } = snapshot;
    const isPartial = questionCount !== undefined && questionCount <= (observation.kind === "follow-up" ? 1 : 0);
    const state = conversationState(checker, snapshot);
    recordSnapshot(checker, { row, observation, snapshot, state, isPartial, askedQuestion });
  }
}

/** Stores the writes that explain later reads. If a conversation was created twice, the first creation is used. */
function logWrite(writes: WriteLog, write: LoggedWrite): void {
  switch (write.observation.kind) {
    case "create":
      writes.create =
        writes.create === undefined || endsEarlier(write.observation, writes.create.observation)
          ? write
          : writes.create;
      break;
    case "follow-up":
      writes.followUps.push(write);
      break;
    case "cancel":
      writes.cancels.push(write);
      break;
    case "delete":
      writes.deletedMicros = Math.min(writes.deletedMicros ?? Number.POSITIVE_INFINITY, write.observation.sentAtMicros);
      break;
    case "read":
      break;
  }
}
