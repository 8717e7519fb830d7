import { deletionPatienceMs } from "@assay/contract";
import { containsQuestionText } from "../access/contains-conversation.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { isCompleteList, isFiltered, readListPage } from "../lists/list-page.ts";

/**
 * A conversation that its owner deleted is gone. It may still be shown for a while, so only the last read is
 * considered, and only if it was sent at least five seconds after the deletion. The response to a read is unspecified.
 * Source: conversation-api, sections 1, 4.1 and 4.2.
 */
export const deletedIsGone = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/deleted-is-gone`,
    check(evidence, reporter) {
      for (const conversation of findCreatedConversations(evidence)) {
        const deletion = conversation.calls.find(
          (call) =>
            call.interface === interfaceName &&
            call.operation === "delete" &&
            call.response.kind === "success" &&
            userOf(call.record.credential) === conversation.user,
        );
        if (deletion !== undefined) {
          judgeReadsAfter(evidence, reporter, { conversation, deletion });
          judgeQuestions(reporter, { conversation, deletion });
        }
      }
    },
  }),
);

interface DeletedConversation {
  readonly conversation: CreatedConversation;
  readonly deletion: ConversationCall;
}

function judgeReadsAfter(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { conversation, deletion }: DeletedConversation,
): void {
  const { endedAtMicros } = deletion.record.times;
  const laterCalls = evidence.calls.filter(
    ({ interface: interfaceName, record }) =>
      interfaceName === deletion.interface &&
      userOf(record.credential) === conversation.user &&
      record.times.sentAtMicros >= endedAtMicros,
  );
  const isConclusive = ({ record }: ConversationCall): boolean =>
    record.times.sentAtMicros - endedAtMicros >= deletionPatienceMs * 1000;
  const lastRead = laterCalls.findLast((call) => isAnswered(call) && isReadOfConversation(call, conversation));
  const lastList = laterCalls.findLast(
    (call) => readListPage(call)?.ids.includes(conversation.id) === true || isCompleteUnfilteredList(call),
  );
  for (const [call, wasReturned] of [
    [lastRead, lastRead !== undefined && returnsConversation(lastRead, conversation)],
    [lastList, lastList !== undefined && readListPage(lastList)?.ids.includes(conversation.id) === true],
  ] as const) {
    if (call !== undefined && wasReturned && isConclusive(call)) {
      const verb = call.operation === "list" ? "listed" : "returned";
      reporter.fails(call, `conversation ${conversation.id} is still ${verb} after its deletion succeeded`);
    } else if (call !== undefined && !wasReturned) {
      reporter.passes(call);
    }
  }
}

/** Checks that a deleted conversation does not accept questions. Only the last response is considered. */
function judgeQuestions(reporter: CallReporter, { conversation, deletion }: DeletedConversation): void {
  const deletedAtMicros = deletion.record.times.endedAtMicros;
  const followUps = conversation.calls.filter(
    ({ operation, interface: interfaceName, record, request: { isWellFormed } }) =>
      operation === "follow-up" &&
      interfaceName === deletion.interface &&
      isWellFormed &&
      userOf(record.credential) === conversation.user &&
      record.times.sentAtMicros >= deletedAtMicros,
  );
  const lastFollowUp = followUps.findLast((call) => isAnswered(call));
  if (lastFollowUp?.response.kind === "refused") {
    reporter.passes(lastFollowUp);
  } else if (
    lastFollowUp !== undefined &&
    lastFollowUp.record.times.sentAtMicros - deletedAtMicros >= deletionPatienceMs * 1000
  ) {
    reporter.fails(
      lastFollowUp,
      `conversation ${conversation.id} still accepts a question after its deletion succeeded`,
    );
  }
}

const isAnswered = ({ response }: ConversationCall): boolean =>
  response.kind === "success" || response.kind === "refused";

const isReadOfConversation = ({ operation, request }: ConversationCall, { id }: CreatedConversation): boolean =>
  operation === "get" && request.conversationId === id;

/** Reports whether this is a list without filters that is certainly complete. */
function isCompleteUnfilteredList(call: ConversationCall): boolean {
  const page = readListPage(call);
  return page !== undefined && isCompleteList(page) && !isFiltered(call);
}

/** Reports whether the response contains the conversation itself, and not only a notice that it is gone. */
function returnsConversation(call: ConversationCall, conversation: CreatedConversation): boolean {
  const view = conversationView(call);
  return containsQuestionText(call, conversation) || (view?.id === conversation.id && view.questions.length > 0);
}
