import { compared } from "./constancy.ts";
import { rowOf } from "./kept-rows.ts";
import type { QuestionSnapshot } from "./observation.ts";
import { memberOf, rememberable } from "./member.ts";
import type { Member } from "./member.ts";
import { maxListed, seeMembers } from "./question-list.ts";
import type { Naming, QuestionList } from "./question-list.ts";
import { namedRow, noPosition, positionedRow, seeText } from "./question-row.ts";
import type { QuestionRow } from "./question-row.ts";
import { recordQuestion } from "./record-question.ts";
import type { Showing, Watch } from "./record-snapshot.ts";

/** The questions of an answer and how they are told apart: by their ids if all have one, else by their positions. */
interface Listing {
  readonly questions: readonly QuestionSnapshot[];
  readonly members: readonly Member[];
  readonly by: Naming | undefined;
}

const hasId = ({ id }: QuestionSnapshot): boolean => typeof id === "string";
const hasText = ({ text }: QuestionSnapshot): boolean => typeof text === "string";

function namingOf(questions: readonly QuestionSnapshot[]): Naming | undefined {
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
export function recordQuestions(watch: Watch, shown: Showing): void {
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
const rowAt = ({ row }: Showing, { by, members }: Listing, position: number): QuestionRow | undefined =>
  by === "id"
    ? rowOf(row.questions, members[position]?.digest ?? 0, namedRow)
    : rowOf(row.questions, -1 - position, positionedRow);

/** The only question of the answer to a follow-up is the one it asked; it is known by its id or not at all. */
function seeOnlyQuestion(watch: Watch, shown: Showing, listing: Listing): void {
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
function hasTwice({ row, witness }: Showing, members: readonly Member[]): boolean {
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
