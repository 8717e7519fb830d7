import { shownValue } from "../../engine/json-value.ts";
import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationView } from "../engine/conversation-view.ts";
import { listView } from "../engine/list-view.ts";
import { createdConversations } from "./created-conversations.ts";
import type { CreatedConversation } from "./created-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * A conversation that was created through one interface is, in the other, the one with the same id. It is told by its first
 * question: one that carries the mark of the run, so that no earlier conversation has the same. Source: conversation-api,
 * sections 2.4 and 9.
 */
export const migrationIdBecomesName = defineMigrationRule({
  id: "migration/id-becomes-name",
  check(evidence, reportFor) {
    const created = createdConversations(evidence);
    const byQuestion = new Map(created.filter(isMarked).map((own) => [own.question, own] as const));
    for (const call of evidence.calls) {
      for (const view of conversationsIn(call)) {
        const own = byQuestion.get(view.questions[0]?.text ?? "");
        if (own !== undefined && own.interface !== call.interface && view.id !== undefined) {
          judgeId(own, { call, view, id: view.id }, reportFor);
        }
      }
    }
    for (const own of created) {
      judgeRefusals(own, evidence.calls, reportFor);
    }
  },
});

const isMarked = ({ question }: CreatedConversation): boolean => /\[assay run=[^\]]+\]/.test(question);

const conversationsIn = (call: ConversationCall): readonly ConversationView[] => {
  const view = call.operation === "get" ? conversationView(call) : undefined;
  return view === undefined ? (listView(call)?.entries ?? []) : [view];
};

interface SeenElsewhere {
  readonly call: ConversationCall;
  readonly view: ConversationView;
  readonly id: string;
}

function judgeId(own: CreatedConversation, { call, view, id }: SeenElsewhere, reportFor: ReportFor): void {
  const report = reportFor(call.record.id);
  report.observe();
  if (id !== own.conversation) {
    const message = `what is conversation ${shownValue(own.conversation)} in the ${own.interface} interface is ${shownValue(id)} in the ${call.interface} one`;
    report.violation({
      message,
      code: "other-id",
      pointer: `${view.pointer}/${call.interface === "legacy" ? "id" : "name"}`,
    });
  }
}

/** Not found under its id while it was there, by who created it, although this interface does deliver conversations. */
function judgeRefusals(own: CreatedConversation, calls: readonly ConversationCall[], reportFor: ReportFor): void {
  const others = calls.filter(
    (call) =>
      call.interface !== own.interface &&
      call.operation === "get" &&
      call.record.credential === own.create.record.credential &&
      call.record.credential !== "unknown",
  );
  const delivers = others.some((call) => conversationView(call) !== undefined);
  for (const call of delivers ? others.filter((call) => isNotFound(own, call)) : []) {
    const report = reportFor(call.record.id);
    report.observe();
    const message = `conversation ${shownValue(own.conversation)} of the ${own.interface} interface is not found in the ${call.interface} one`;
    report.violation({ message, code: "not-found" });
  }
}

const isNotFound = ({ conversation, create, deletedAtMicros }: CreatedConversation, call: ConversationCall): boolean =>
  call.asked.conversation === conversation &&
  call.answer.kind === "refused" &&
  call.answer.status === 404 &&
  call.record.times.sentAtMicros >= create.record.times.endedAtMicros &&
  call.record.times.endedAtMicros <= deletedAtMicros;
