import { visibleText } from "@assay/evidence";
import type { QuestionPoll } from "@assay/results";
import { conversationView, questionView } from "@assay/rules";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationEvidence, RecordedConversation } from "@assay/rules";
import type { ConversationInterface } from "../converse/dialect.ts";

/** The states of one question that one interface returned. */
export interface ObservedQuestion {
  readonly interface: ConversationInterface;
  readonly conversation: string;
  readonly question: string;
  /** In sending order. */
  readonly polls: readonly QuestionPoll[];
  /** The state in each response to the request that asked it. There are several if questions cannot be distinguished. */
  readonly initialStates: readonly string[];
}

type Call = RecordedConversation["calls"][number];

/** The state of one question in one response. */
interface QuestionState {
  /** Key from the target, unique within a conversation. */
  readonly key: string;
  readonly question: string;
  readonly state: string;
  /** True in the response to the request that asked the question. */
  readonly isNew: boolean;
}

/** Maximum number of questions read from one response. */
const maxQuestions = 1024;

const maxStateLength = 60;
const maxIdLength = 40;

/**
 * Returns the states in responses, by question, in the order of first appearance. In the legacy interface each question has a state. In
 * the current interface the conversation has a single state, which is that of its last question.
 */
export function findQuestions(
  evidence: ConversationEvidence,
  name: ConversationInterface,
): readonly ObservedQuestion[] {
  return evidence.conversationsOf(name).flatMap((conversation) => collectQuestions(conversation, name));
}

function collectQuestions(
  { id, calls }: RecordedConversation,
  name: ConversationInterface,
): readonly ObservedQuestion[] {
  const entriesByKey = new Map<
    string,
    { readonly question: string; readonly polls: QuestionPoll[]; readonly initialStates: string[] }
  >();
  for (const call of calls) {
    for (const { key, question, state, isNew } of readQuestions(call, id)) {
      const entry = entriesByKey.get(key) ?? { question, polls: [], initialStates: [] };
      entry.polls.push(toPoll(call, state));
      entry.initialStates.push(...(isNew ? [state] : []));
      entriesByKey.set(key, entry);
    }
  }
  return [...entriesByKey.values()].map((question) => ({ interface: name, conversation: id, ...question }));
}

function toPoll({ record: { id, times } }: Call, state: string): QuestionPoll {
  const sentMicros = Math.round(times.sentAtMicros);
  return {
    exchange: id,
    sentMicros,
    answeredMicros: Math.max(sentMicros, Math.round(times.endedAtMicros)),
    state: visibleText(state, maxStateLength),
  };
}

/** Returns the questions in a response. Ignores responses that contain a different conversation. */
function readQuestions(call: Call, conversation: string): readonly QuestionState[] {
  const view = conversationView(call);
  if (view === undefined) {
    return call.operation === "follow-up" ? toQuestionList(questionView(call), conversation) : [];
  }
  if ((view.id ?? conversation) !== conversation) {
    return [];
  }
  // The response to a write may contain only the question that was asked.
  const isPartial = call.operation === "follow-up" && view.questions.length <= 1;
  return call.interface === "legacy"
    ? toLegacyStates(view, isPartial, findNewestQuestion(call, view))
    : toCurrentState(view, isPartial, asksQuestion(call));
}

const asksQuestion = ({ operation }: Call): boolean => operation === "create" || operation === "follow-up";

/** Finds the question that a request asked, first by its text, as in the rules. */
const findNewestQuestion = (call: Call, { questions }: ConversationView): QuestionView | undefined =>
  asksQuestion(call)
    ? (questions.findLast(({ text }) => text !== undefined && text === call.request.question) ?? questions.at(-1))
    : undefined;

const toQuestionList = (question: QuestionView | undefined, conversation: string): readonly QuestionState[] =>
  question !== undefined && (question.conversationId ?? conversation) === conversation
    ? toLegacyState(question, undefined, true)
    : [];

const toLegacyStates = (
  { questions }: ConversationView,
  isPartial: boolean,
  newestQuestion: QuestionView | undefined,
): readonly QuestionState[] =>
  questions
    .slice(0, maxQuestions)
    .flatMap((question, index) =>
      toLegacyState(question, isPartial ? undefined : index + 1, question === newestQuestion),
    );

/** Returns the state of a legacy question, or an empty array if it has neither an id nor a position. */
function toLegacyState(
  { id, status }: QuestionView,
  position: number | undefined,
  isNew: boolean,
): readonly QuestionState[] {
  if ((id === undefined && position === undefined) || status === undefined) {
    return [];
  }
  const words = [
    position === undefined ? "question" : `question ${position}`,
    id === undefined ? "" : `(id ${visibleText(id, maxIdLength)})`,
  ];
  const key = id === undefined ? `at ${position}` : `id ${id}`;
  return [{ key, question: words.filter((word) => word !== "").join(" "), state: status, isNew }];
}

function toCurrentState(
  { state, questions }: ConversationView,
  isPartial: boolean,
  isNew: boolean,
): readonly QuestionState[] {
  if (state === undefined) {
    return [];
  }
  const count = isPartial ? 0 : questions.length;
  return [{ key: String(count), question: count === 0 ? "the conversation" : `question ${count}`, state, isNew }];
}
