import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { describeSequence, findModelledConversations } from "../model/modelled-conversations.ts";
import type { ModelledConversation } from "../model/modelled-conversations.ts";
import { userOf } from "../engine/users.ts";

/**
 * A conversation that both interfaces showed, and that is gone from the one that deleted it, is gone from the other one too. It may still be
 * shown for five seconds. Source: conversation-api, sections 1, 4 and 9.
 */
export const migrationDeletedIsGone = defineCallRule({
  id: "migration/deleted-is-gone",
  check(evidence, reporter) {
    for (const modelled of findModelledConversations(evidence).filter(({ isShared }) => isShared)) {
      const deletion = findDeletion(modelled);
      if (deletion === undefined || !isGoneWhereDeleted(modelled, deletion)) {
        continue;
      }
      const contradiction = modelled.contradictions.find(
        ({ kind, step, shortest }) =>
          (kind === "deleted-is-shown" || kind === "deleted-takes-question") &&
          step.interface !== deletion.interface &&
          shortest.some(({ exchange }) => exchange === deletion.record.id),
      );
      const call = evidence.calls.find(({ record }) => record.id === contradiction?.step.exchange);
      if (contradiction !== undefined && call !== undefined) {
        reporter.fails(call, `${describeProblem(call, modelled)}; ${describeSequence(contradiction)}`);
        continue;
      }
      const confirmation = findConfirmation(evidence, { modelled, deletion });
      if (confirmation !== undefined) {
        reporter.passes(confirmation);
      }
    }
  },
});

/** Returns the first deletion by the user of a conversation. */
const findDeletion = ({ calls, conversation }: ModelledConversation): ConversationCall | undefined =>
  calls.find(
    ({ operation, response, record }) =>
      operation === "delete" && response.kind === "success" && userOf(record.credential) === conversation.user,
  );

const isSentAfter = ({ record }: ConversationCall, deletion: ConversationCall): boolean =>
  record.times.sentAtMicros >= deletion.record.times.endedAtMicros;

/** Where the deletion has no effect at all, `deleted-is-gone` of that interface fails. */
const isGoneWhereDeleted = ({ calls, conversation }: ModelledConversation, deletion: ConversationCall): boolean =>
  calls.findLast(
    (call) =>
      call.operation === "get" &&
      call.interface === deletion.interface &&
      userOf(call.record.credential) === conversation.user &&
      isSentAfter(call, deletion),
  )?.response.kind === "refused";

function describeProblem(
  { operation, interface: name }: ConversationCall,
  { conversation }: ModelledConversation,
): string {
  const verbs = { list: "lists it", "follow-up": "accepts a question in it" } as const;
  const verb = operation === "list" || operation === "follow-up" ? verbs[operation] : "returns it";
  return `conversation ${conversation.id} was deleted through the other interface, but the ${name} interface still ${verb}`;
}

interface Deleted {
  readonly modelled: ModelledConversation;
  readonly deletion: ConversationCall;
}

/** Returns a read through the other interface that shows that the conversation is gone. */
const findConfirmation = (
  evidence: ConversationEvidence,
  { modelled: { conversation }, deletion }: Deleted,
): ConversationCall | undefined =>
  evidence.calls.find(
    (call) =>
      call.operation === "get" &&
      call.interface !== deletion.interface &&
      call.request.conversationId === conversation.id &&
      userOf(call.record.credential) === conversation.user &&
      isSentAfter(call, deletion) &&
      call.response.kind === "refused",
  );
