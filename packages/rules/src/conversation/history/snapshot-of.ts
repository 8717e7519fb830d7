import type { ConversationMachine } from "@assay/contract";
import type { QuestionSnapshot, Snapshot } from "@assay/state-machine";
import { member } from "../../engine/json-value.ts";
import { isCancelled } from "../engine/cancelled-questions.ts";
import type { Cancelled } from "../engine/cancelled-questions.ts";
import { canonicalText } from "../engine/canonical-text.ts";
import type { ConversationView, QuestionView } from "../engine/conversation-view.ts";

/** Members of a legacy question that stay as they are once it is completed. */
const finalMembers = ["answer", "title", "sources", "error"] as const;

/**
 * What stays as it is once a question is finished, as one text. In the current interface the text of the answer, whichever of
 * its forms it has; nothing where it has neither.
 */
function contentOf({ json, answer, facts }: QuestionView, machine: ConversationMachine): string | undefined {
  if (machine.interface === "legacy") {
    return canonicalText(finalMembers.map((name) => member(json, name)));
  }
  return answer ?? (facts.has("answer") ? undefined : "");
}

/** What a state table is shown of a conversation. A state that no table lists is left out: that is a rule of its own. */
export function snapshotOf(view: ConversationView, machine: ConversationMachine, cancelled?: Cancelled): Snapshot {
  const { state, createdAt, updatedAt } = view;
  return {
    ...(state !== undefined && machine.states.includes(state) ? { state } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(Array.isArray(member(view.json, "questions"))
      ? {
          questions: view.questions.map((question) => questionSnapshot(question, machine, cancelled)),
        }
      : {}),
  };
}

/**
 * What a state table is shown of an element of a list. Whether lists show questions, and answers in full, is left open: one
 * without questions says nothing of them, and what stays as it is is not taken from lists.
 */
export function listedSnapshotOf(
  view: ConversationView,
  machine: ConversationMachine,
  cancelled?: Cancelled,
): Snapshot {
  const { questions, ...snapshot } = snapshotOf(view, machine, cancelled);
  return questions === undefined || questions.length === 0
    ? snapshot
    : { ...snapshot, questions: questions.map(({ content: _content, ...question }) => question) };
}

/** What a state table is shown of a question. */
export function questionSnapshot(
  question: QuestionView,
  machine: ConversationMachine,
  cancelled: Cancelled | undefined,
): QuestionSnapshot {
  const { id, text, status = question.state, createdAt, updatedAt, facts } = question;
  const content = contentOf(question, machine);
  return {
    ...(id === undefined ? {} : { id }),
    ...(text === undefined ? {} : { text }),
    ...(status !== undefined && machine.states.includes(status) ? { status } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    facts: isCancelled(question, cancelled) ? new Set([...facts, "cancelled"]) : facts,
    ...(content === undefined ? {} : { content }),
  };
}
