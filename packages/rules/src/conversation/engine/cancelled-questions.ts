import type { ConversationInterface } from "./conversation-operation.ts";
import type { QuestionView } from "@assay/contract";
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
