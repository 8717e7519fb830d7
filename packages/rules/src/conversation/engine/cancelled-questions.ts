import { member } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/contract";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { conversationView } from "./conversation-view.ts";
import type { Thread } from "./threads.ts";

/** Questions that the run may have cancelled: by id, or all where it cancelled the conversation. */
type Cancelled = ReadonlySet<string> | "all";

/** What the run may have cancelled, by conversation and by the texts of questions. */
export interface CancelledQuestions {
  readonly byConversation: ReadonlyMap<string, Cancelled>;
  /** Texts of the questions in conversations that were cancelled as a whole. */
  readonly texts: ReadonlySet<string>;
}

/**
 * What the run may have cancelled. A conversation of one interface is taken for the one of the other with the same id: what
 * the document leaves open after a cancellation is open there too. As a name need not tell the number that the legacy
 * interface has for its conversation, a question is also known by its text.
 */
export function cancelledQuestions(threads: (name: ConversationInterface) => readonly Thread[]): CancelledQuestions {
  const wholes = threads("current").filter(({ cancelled }) => cancelled);
  const questions = threads("legacy").filter(({ cancelled }) => cancelled);
  return {
    byConversation: new Map<string, Cancelled>([
      ...questions.map(({ conversation, cancelledQuestions: ids }) => [conversation, ids] as const),
      ...wholes.map(({ conversation }) => [conversation, "all"] as const),
    ]),
    texts: new Set(wholes.flatMap(({ calls }) => calls.flatMap(textsOf))),
  };
}

/** Texts of the questions that a call asks or shows. */
const textsOf = (call: ConversationCall): readonly string[] => [
  ...(call.asked.question === undefined ? [] : [call.asked.question]),
  ...(conversationView(call)?.questions ?? []).flatMap(({ text }) => text ?? []),
];

/** Whether the run may have cancelled a question of a conversation. */
export function isCancelled(
  { id, text }: Pick<QuestionView, "id" | "text">,
  conversation: string | undefined,
  { byConversation, texts }: CancelledQuestions,
): boolean {
  const cancelled = conversation === undefined ? undefined : byConversation.get(conversation);
  return (
    cancelled === "all" || (id !== undefined && cancelled?.has(id) === true) || (text !== undefined && texts.has(text))
  );
}

/** A question that was cancelled, and the first read without it. */
export interface WithdrawnQuestion {
  readonly conversation: string;
  readonly id: string;
  readonly call: ConversationCall;
}

/**
 * Questions of the legacy interface that some read leaves out after they were cancelled. What a question comes to by that is
 * not shown, so that its conversation may do without it. Source: conversation-api, section 3.1.
 */
export function withdrawnQuestions(
  threads: (name: ConversationInterface) => readonly Thread[],
): readonly WithdrawnQuestion[] {
  const { byConversation } = cancelledQuestions(threads);
  const cancellations = [...threads("legacy"), ...threads("current")].flatMap(({ conversation, calls }) =>
    calls.filter(({ operation }) => operation === "cancel").map((call) => ({ conversation, call })),
  );
  return threads("legacy").flatMap(({ conversation, calls }) => {
    const ids = byConversation.get(conversation) ?? new Set<string>();
    const views = calls.flatMap((call) => conversationView(call)?.questions ?? []);
    const known = new Set(ids === "all" ? views.flatMap(({ id }) => id ?? []) : ids);
    const first = cancellations.find((each) => each.conversation === conversation)?.call.record.times.sentAtMicros;
    return [...known].flatMap((id) => {
      const call = calls.find(
        (each) =>
          each.operation === "get" &&
          each.record.times.sentAtMicros > (first ?? Number.POSITIVE_INFINITY) &&
          isWithout(conversationView(each), id),
      );
      return call === undefined ? [] : [{ conversation, id, call }];
    });
  });
}

const isWithout = (view: ConversationView | undefined, id: string): boolean =>
  view !== undefined &&
  Array.isArray(member(view.json, "questions")) &&
  // A question without an id may be any.
  view.questions.every((question) => question.id !== undefined && question.id !== id);
