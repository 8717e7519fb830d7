import { member } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/contract";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { conversationView } from "./conversation-view.ts";
import type { Thread } from "./threads.ts";

/** Questions that the run may have cancelled: by id, or all where it cancelled the conversation. */
export type Cancelled = ReadonlySet<string> | "all";

/**
 * What the run may have cancelled, by conversation. A conversation of one interface is taken for the one of the other with
 * the same id: what the document leaves open after a cancellation is open there too.
 */
export function cancelledQuestions(
  threads: (name: ConversationInterface) => readonly Thread[],
): ReadonlyMap<string, Cancelled> {
  const wholes = threads("current").filter(({ cancelled }) => cancelled);
  const questions = threads("legacy").filter(({ cancelled }) => cancelled);
  return new Map<string, Cancelled>([
    ...questions.map(({ conversation, cancelledQuestions: ids }) => [conversation, ids] as const),
    ...wholes.map(({ conversation }) => [conversation, "all"] as const),
  ]);
}

/** Whether the run may have cancelled a question. */
export const isCancelled = ({ id }: Pick<QuestionView, "id">, cancelled: Cancelled | undefined): boolean =>
  cancelled === "all" || (id !== undefined && cancelled?.has(id) === true);

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
  const cancelled = cancelledQuestions(threads);
  const cancellations = [...threads("legacy"), ...threads("current")].flatMap(({ conversation, calls }) =>
    calls.filter(({ operation }) => operation === "cancel").map((call) => ({ conversation, call })),
  );
  return threads("legacy").flatMap(({ conversation, calls }) => {
    const ids = cancelled.get(conversation) ?? new Set<string>();
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
