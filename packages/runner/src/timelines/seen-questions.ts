import { visibleText } from "@assay/evidence";
import type { QuestionPoll } from "@assay/results";
import { conversationView, questionView } from "@assay/rules";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationEvidence, Thread } from "@assay/rules";
import type { ConversationInterface } from "../converse/dialect.ts";

/** The states of one question that one interface returned. */
export interface SeenQuestion {
  readonly interface: ConversationInterface;
  readonly conversation: string;
  readonly question: string;
  /** In sending order. */
  readonly polls: readonly QuestionPoll[];
  /** The state in each response to the request that asked it. There are several if questions cannot be distinguished. */
  readonly beginnings: readonly string[];
}

type Call = Thread["calls"][number];

/** The state of one question in one response. */
interface QuestionInAnswer {
  /** Key from the target, unique within a conversation. */
  readonly key: string;
  readonly question: string;
  readonly state: string;
  /** True in the response to the request that asked the question. */
  readonly isNew: boolean;
}

/** Maximum number of questions read from one response. */
const maxQuestions = 1024;

const stateLength = 60;
const idLength = 40;

/**
 * Returns the states in responses, by question, in the order of first appearance. In the legacy interface each question has a state. In
 * the current interface the conversation has a single state, which is that of its last question.
 */
export function findQuestions(evidence: ConversationEvidence, name: ConversationInterface): readonly SeenQuestion[] {
  return evidence.threads(name).flatMap((thread) => collectQuestions(thread, name));
}

function collectQuestions({ id, calls }: Thread, name: ConversationInterface): readonly SeenQuestion[] {
  const byQuestion = new Map<
    string,
    { readonly question: string; readonly polls: QuestionPoll[]; readonly beginnings: string[] }
  >();
  for (const call of calls) {
    for (const { key, question, state, isNew } of shownIn(call, id)) {
      const entry = byQuestion.get(key) ?? { question, polls: [], beginnings: [] };
      entry.polls.push(toPoll(call, state));
      entry.beginnings.push(...(isNew ? [state] : []));
      byQuestion.set(key, entry);
    }
  }
  return [...byQuestion.values()].map((question) => ({ interface: name, conversation: id, ...question }));
}

function toPoll({ record: { id, times } }: Call, state: string): QuestionPoll {
  const sentMicros = Math.round(times.sentAtMicros);
  return {
    exchange: id,
    sentMicros,
    answeredMicros: Math.max(sentMicros, Math.round(times.endedAtMicros)),
    state: visibleText(state, stateLength),
  };
}

/** Returns the questions in a response. Ignores responses that contain a different conversation. */
function shownIn(call: Call, conversation: string): readonly QuestionInAnswer[] {
  const view = conversationView(call);
  if (view === undefined) {
    return call.operation === "follow-up" ? asList(questionView(call), conversation) : [];
  }
  if ((view.id ?? conversation) !== conversation) {
    return [];
  }
  // The response to a write may contain only the question that was asked.
  const isPartial = call.operation === "follow-up" && view.questions.length <= 1;
  return call.interface === "legacy"
    ? legacyStates(view, isPartial, newestQuestion(call, view))
    : currentState(view, isPartial, isAsking(call));
}

const isAsking = ({ operation }: Call): boolean => operation === "create" || operation === "follow-up";

/** Finds the question that a request asked, first by its text, as in the rules. */
const newestQuestion = (call: Call, { questions }: ConversationView): QuestionView | undefined =>
  isAsking(call)
    ? (questions.findLast(({ text }) => text !== undefined && text === call.request.question) ?? questions.at(-1))
    : undefined;

const asList = (question: QuestionView | undefined, conversation: string): readonly QuestionInAnswer[] =>
  question !== undefined && (question.conversationId ?? conversation) === conversation
    ? legacyState(question, undefined, true)
    : [];

const legacyStates = (
  { questions }: ConversationView,
  isPartial: boolean,
  newest: QuestionView | undefined,
): readonly QuestionInAnswer[] =>
  questions
    .slice(0, maxQuestions)
    .flatMap((question, index) => legacyState(question, isPartial ? undefined : index + 1, question === newest));

/** Returns the state of a legacy question, or an empty array if it has neither an id nor a position. */
function legacyState(
  { id, status }: QuestionView,
  place: number | undefined,
  isNew: boolean,
): readonly QuestionInAnswer[] {
  if ((id === undefined && place === undefined) || status === undefined) {
    return [];
  }
  const words = [
    place === undefined ? "question" : `question ${place}`,
    id === undefined ? "" : `(id ${visibleText(id, idLength)})`,
  ];
  const key = id === undefined ? `at ${place}` : `id ${id}`;
  return [{ key, question: words.filter((word) => word !== "").join(" "), state: status, isNew }];
}

function currentState(
  { state, questions }: ConversationView,
  isPartial: boolean,
  isNew: boolean,
): readonly QuestionInAnswer[] {
  if (state === undefined) {
    return [];
  }
  const count = isPartial ? 0 : questions.length;
  return [{ key: String(count), question: count === 0 ? "the conversation" : `question ${count}`, state, isNew }];
}
