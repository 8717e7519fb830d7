import { compared } from "./constancy.ts";
import { rowOf } from "./kept-rows.ts";
import type { QuestionSnapshot } from "./observation.ts";
import { memberOf, rememberable } from "./member.ts";
import type { Member } from "./member.ts";
import { maxListed, seeMembers } from "./question-list.ts";
import type { QuestionKey, QuestionList } from "./question-list.ts";
import {
  namedRow,
  noPosition,
  positionedRow,
  seeText,
  seeContent,
  seePosition,
  seeStatus,
  textMember,
} from "./question-row.ts";
import type { QuestionRow } from "./question-row.ts";
import type { Instant } from "./instant.ts";
import { withVersion, endsEarlier, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";
import { spread } from "./time-spread.ts";
import type { FieldGate } from "@assay/contract";
import type { StateTable } from "./state-table.ts";
import type { ConversationRow } from "./conversation-row.ts";
import type { Snapshot } from "./observation.ts";
import type { TextHolder } from "./recent-texts.ts";
import type { Session } from "./session.ts";
import type { Asked } from "./write-log.ts";

/** What a checker has for all conversations. */
export interface Watch {
  readonly table: StateTable;
  readonly instants: (text: string | undefined) => Instant;
  readonly sessions: (name: string) => Session;
  readonly digestOf: (holder: TextHolder, text: string) => number;
}

/** One answer about a conversation. */
export interface AnswerContext {
  readonly row: ConversationRow;
  readonly witness: Witness;
  readonly snapshot: Snapshot;
  readonly state: number | undefined;
  /** The questions in it are not all there are. */
  readonly isPartial: boolean;
  /** The question that the write asked. */
  readonly asked: Asked | undefined;
}

type Facts = ReadonlySet<string>;

const none: readonly string[] = [];
const isLifted = ({ unless = none }: FieldGate, facts: Facts): boolean => unless.some((fact) => facts.has(fact));
const holds = ({ forbids = none, requires = none }: FieldGate, facts: Facts): boolean =>
  !forbids.some((fact) => facts.has(fact)) && requires.every((fact) => facts.has(fact));

/** What a question has that its state forbids, and lacks of what it requires. */
function departureFrom({ forbids = none, requires = none }: FieldGate, facts: Facts): string {
  const present = forbids.filter((fact) => facts.has(fact));
  const missing = requires.filter((fact) => !facts.has(fact));
  return [
    ...(present.length > 0 ? [`with ${present.join(", ")}`] : []),
    ...(missing.length > 0 ? [`without ${missing.join(", ")}`] : []),
  ].join(" and ");
}

/** Looks at what a question has in the state it is in. */
function watchGates(
  row: QuestionRow,
  witness: Witness,
  seen: { readonly table: StateTable; readonly state: number; readonly facts: Facts },
): void {
  const { table, state, facts } = seen;
  for (const { number, gate } of table.gatesOf(state)) {
    if (isLifted(gate, facts)) {
      continue;
    }
    row.looks[number] = (row.looks[number] ?? 0) + 1;
    if (!holds(gate, facts)) {
      const value = `${table.nameOf(state)} ${departureFrom(gate, facts)}`;
      row.broken[number] = firstOf(row.broken[number], showing(witness, value));
    }
  }
}

const firstOf = (known: Witness | undefined, witness: Witness): Witness =>
  known === undefined || endsEarlier(witness, known) ? witness : known;

interface QuestionContext {
  readonly row: QuestionRow;
  readonly question: QuestionSnapshot;
  /** Infinite where the answer does not tell. */
  readonly position: number;
  readonly isLast: boolean;
  /** Its text, if questions are told apart by it. */
  readonly member: Member | undefined;
}

/** Takes in what an answer shows of one question. */
function recordQuestion(watch: Watch, shown: AnswerContext, seen: QuestionContext): void {
  const { row, question, position, isLast } = seen;
  seePosition(row, position);
  if (watch.table.machine.subject === "question") {
    seeOwnState(watch, shown.witness, seen);
  } else {
    const state = watch.table.numberOf(question.status);
    seeStatus(row, shown.witness, { state, hasVersion: false });
    seeRest(watch, shown.witness, seen);
    seeInState(watch, shown.witness, { row, question, state: shown.state, isLast });
  }
}

/** A question with a state of its own. */
function seeOwnState(watch: Watch, base: Witness, seen: QuestionContext): void {
  const { row, question } = seen;
  const state = watch.table.numberOf(question.status);
  const updated = watch.instants(question.updatedAt);
  const witness = ofVersion(base, updated);
  seeStatus(row, witness, { state, hasVersion: !Number.isNaN(updated.micros) });
  seeRest(watch, witness, seen);
  seeInState(watch, witness, { row, question, state, isLast: true });
}

function seeRest({ instants }: Watch, witness: Witness, { row, question, member }: QuestionContext): void {
  const { text, createdAt } = question;
  row.created = spread(row.created, witness, { text: createdAt, instant: instants(createdAt) });
  if (typeof text === "string") {
    seeText(row, witness, member ?? textMember(row, text));
  }
}

interface InState {
  readonly row: QuestionRow;
  readonly question: QuestionSnapshot;
  readonly state: number | undefined;
  /** Where the conversation has the state, it is that of the question asked last. */
  readonly isLast: boolean;
}

function seeInState({ table, digestOf }: Watch, witness: Witness, { row, question, state, isLast }: InState): void {
  if (state === undefined) {
    return;
  }
  const { content, facts, outcome } = question;
  if (typeof content === "string" && table.isTerminal(state)) {
    seeContent(row, witness, {
      digest: digestOf(row, content),
      length: content.length,
      state: table.nameOf(state),
      outcome,
    });
  }
  if (isLast) {
    watchGates(row, witness, { table, state, facts });
  }
}

/** The observation with the time of update of this question, if it has its own; most often that is the same one. */
function ofVersion(base: Witness, { micros, unitMicros }: Instant): Witness {
  return Number.isNaN(micros) || (micros === base.updatedMicros && unitMicros === base.updatedUnitMicros)
    ? base
    : withVersion(base, { micros, unitMicros });
}

/** The questions of an answer and how they are told apart: by their ids if all have one, else by their positions. */
interface Listing {
  readonly questions: readonly QuestionSnapshot[];
  readonly members: readonly Member[];
  readonly by: QuestionKey | undefined;
}

const hasId = ({ id }: QuestionSnapshot): boolean => typeof id === "string";
const hasText = ({ text }: QuestionSnapshot): boolean => typeof text === "string";

function namingOf(questions: readonly QuestionSnapshot[]): QuestionKey | undefined {
  if (questions.every(hasId)) {
    return "id";
  }
  return questions.every(hasText) ? "text" : undefined;
}

function listingOf({ recent }: QuestionList, all: readonly QuestionSnapshot[]): Listing {
  const questions = all.length > maxListed ? all.slice(0, maxListed) : all;
  const by = namingOf(questions);
  const members = questions.map(({ id = "", text = "" }, position) => {
    const member = memberOf(recent[position], by === "id" ? id : text);
    recent[position] = rememberable(member);
    return member;
  });
  return { questions, by, members };
}

/** Takes in the questions of an answer, as a list and each by itself. */
export function recordQuestions(watch: Watch, shown: AnswerContext): void {
  const { questions = [] } = shown.snapshot;
  const listing = listingOf(shown.row.list, questions);
  const { by, members } = listing;
  // A list with one id twice says nothing about where questions are.
  if (by === "id" && hasTwice(shown, members)) {
    return;
  }
  if (shown.isPartial) {
    seeOnlyQuestion(watch, shown, listing);
    return;
  }
  if (by !== undefined) {
    seeMembers(shown.row.list, shown.witness, { by, members });
  }
  const last = questions.length - 1;
  listing.questions.forEach((question, position) => {
    const row = rowAt(shown, listing, position);
    const member = by === "text" ? members[position] : undefined;
    if (row !== undefined) {
      recordQuestion(watch, shown, { row, question, position, isLast: position === last, member });
    }
  });
}

/** Positions have negative numbers, so that they are always kept. */
const rowAt = ({ row }: AnswerContext, { by, members }: Listing, position: number): QuestionRow | undefined =>
  by === "id"
    ? rowOf(row.questions, members[position]?.digest ?? 0, namedRow)
    : rowOf(row.questions, -1 - position, positionedRow);

/** The only question of the answer to a follow-up is the one it asked; it is known by its id or not at all. */
function seeOnlyQuestion(watch: Watch, shown: AnswerContext, listing: Listing): void {
  const { asked, witness } = shown;
  const [question] = listing.questions;
  const row = listing.by === "id" && question !== undefined ? rowAt(shown, listing, 0) : undefined;
  if (row === undefined || question === undefined) {
    return;
  }
  recordQuestion(watch, shown, { row, question, position: noPosition, isLast: true, member: undefined });
  if (asked !== undefined) {
    seeText(row, witness, { digest: asked.digest, text: asked.words });
  }
}

/** Whether an id stands in a list twice. */
function hasTwice({ row, witness }: AnswerContext, members: readonly Member[]): boolean {
  if (members.length < 2) {
    return false;
  }
  row.list.idLists += 1;
  const again = firstAgain(members);
  if (again !== undefined) {
    row.list.twice = compared(row.list.twice, witness, { key: 0, detail: 0, text: again.text });
  }
  return again !== undefined;
}

const fewMembers = 8;

/** The first member that stood in the list before. Of few members each is held against those before it. */
function firstAgain(members: readonly Member[]): Member | undefined {
  if (members.length <= fewMembers) {
    return members.find(({ digest }, index) => members.findIndex((member) => member.digest === digest) < index);
  }
  const digests = new Set<number>();
  return members.find(({ digest }) => digests.size === digests.add(digest).size);
}
