import { visibleText } from "@assay/evidence";
import type { QuestionPoll } from "@assay/results";
import { conversationView, questionView } from "@assay/rules";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationEvidence, Thread } from "@assay/rules";
import type { ConversationInterface } from "../converse/dialect.ts";

/** The states of one question that one interface showed. */
export interface SeenQuestion {
  readonly interface: ConversationInterface;
  readonly conversation: string;
  readonly question: string;
  /** In the order of sending. */
  readonly polls: readonly QuestionPoll[];
  /** The state in each answer to the request that asked it; several if questions cannot be distinguished. */
  readonly beginnings: readonly string[];
}

type Call = Thread["calls"][number];

/** One state of one question in one answer. */
interface QuestionInAnswer {
  /** Unique within a conversation; from the target. */
  readonly key: string;
  readonly question: string;
  readonly state: string;
  /** True in the answer to the request that asked the question. */
  readonly isNew: boolean;
}

/** Upper bound on the questions read from one answer. */
const maxQuestions = 1024;

const stateLength = 60;
const idLength = 40;

/**
 * The states that answers showed, by question, in the order of first appearance. In the legacy interface each question has a state;
 * in the current one the conversation has one, which is that of its last question.
 */
export function seenQuestions(evidence: ConversationEvidence, name: ConversationInterface): readonly SeenQuestion[] {
  return evidence.threads(name).flatMap((thread) => questionsOf(thread, name));
}

function questionsOf({ conversation, calls }: Thread, name: ConversationInterface): readonly SeenQuestion[] {
  const seen = new Map<
    string,
    { readonly question: string; readonly polls: QuestionPoll[]; readonly beginnings: string[] }
  >();
  for (const call of calls) {
    for (const { key, question, state, isNew } of shownIn(call, conversation)) {
      const known = seen.get(key) ?? { question, polls: [], beginnings: [] };
      known.polls.push(pollOf(call, state));
      known.beginnings.push(...(isNew ? [state] : []));
      seen.set(key, known);
    }
  }
  return [...seen.values()].map((question) => ({ interface: name, conversation, ...question }));
}

function pollOf({ record: { id, times } }: Call, state: string): QuestionPoll {
  const sentMicros = Math.round(times.sentAtMicros);
  return {
    exchange: id,
    sentMicros,
    answeredMicros: Math.max(sentMicros, Math.round(times.endedAtMicros)),
    state: visibleText(state, stateLength),
  };
}

/** Answers about another conversation are ignored. */
function shownIn(call: Call, conversation: string): readonly QuestionInAnswer[] {
  const view = conversationView(call);
  if (view === undefined) {
    return call.operation === "follow-up" ? alone(questionView(call), conversation) : [];
  }
  if ((view.id ?? conversation) !== conversation) {
    return [];
  }
  // The answer to a write may contain only the question that was asked.
  const isPartial = call.operation === "follow-up" && view.questions.length <= 1;
  return call.interface === "legacy"
    ? legacyStates(view, isPartial, newestOf(call, view))
    : currentState(view, isPartial, isAsking(call));
}

const isAsking = ({ operation }: Call): boolean => operation === "create" || operation === "follow-up";

/** The question that a request asked: found by its text first, as in the rules. */
const newestOf = (call: Call, { questions }: ConversationView): QuestionView | undefined =>
  isAsking(call)
    ? (questions.findLast(({ text }) => text !== undefined && text === call.asked.question) ?? questions.at(-1))
    : undefined;

const alone = (question: QuestionView | undefined, conversation: string): readonly QuestionInAnswer[] =>
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

/** Empty for a question with neither an id nor a position. */
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
