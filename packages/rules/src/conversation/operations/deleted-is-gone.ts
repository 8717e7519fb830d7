import { deletionPatienceMs } from "@assay/contract";
import { deliversText } from "../access/delivered.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { isWhole, listPage } from "../lists/list-page.ts";

/**
 * What its owner deleted is no longer there. For a while it may be shown all the same: only the last look counts, and one that
 * shows it only after five seconds. With which answer a read is refused is not documented. Source: conversation-api,
 * sections 1, 4.1 and 4.2.
 */
export const deletedIsGone = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/deleted-is-gone`,
    check(evidence, witness) {
      for (const own of ownConversations(evidence)) {
        const deletion = own.calls.find(
          (call) =>
            call.interface === name &&
            call.operation === "delete" &&
            call.answer.kind === "success" &&
            userOf(call.record.credential) === own.user,
        );
        if (deletion !== undefined) {
          judgeLooks(evidence, witness, { own, deletion });
          judgeQuestions(witness, { own, deletion });
        }
      }
    },
  }),
);

interface Deleted {
  readonly own: OwnConversation;
  readonly deletion: ConversationCall;
}

function judgeLooks(evidence: ConversationEvidence, witness: Witness, { own, deletion }: Deleted): void {
  const { endedAtMicros } = deletion.record.times;
  const looks = evidence.calls.filter(
    ({ interface: name, record }) =>
      name === deletion.interface &&
      userOf(record.credential) === own.user &&
      record.times.sentAtMicros >= endedAtMicros,
  );
  const isLate = ({ record }: ConversationCall): boolean =>
    record.times.sentAtMicros - endedAtMicros >= deletionPatienceMs * 1000;
  const read = looks.findLast((call) => isAnswered(call) && isReadOf(call, own));
  const list = looks.findLast((call) => listPage(call)?.ids.includes(own.conversation) === true || isWholeList(call));
  for (const [call, isShown] of [
    [read, read !== undefined && isDelivered(read, own)],
    [list, list !== undefined && listPage(list)?.ids.includes(own.conversation) === true],
  ] as const) {
    if (call !== undefined && isShown && isLate(call)) {
      const how = call.operation === "list" ? "listed" : "delivered";
      witness.breaks(
        call,
        `conversation ${own.conversation} is still ${how} after its deletion was answered with success`,
      );
    } else if (call !== undefined && !isShown) {
      witness.holds(call);
    }
  }
}

/** A question to what was gone already, or should have been, is not taken. A refusal says why the last one was not. */
function judgeQuestions(witness: Witness, { own, deletion }: Deleted): void {
  const after = deletion.record.times.endedAtMicros;
  const asked = own.calls.filter(
    ({ operation, interface: name, record, asked: { hasGoodForm } }) =>
      operation === "follow-up" &&
      name === deletion.interface &&
      hasGoodForm &&
      userOf(record.credential) === own.user &&
      record.times.sentAtMicros >= after,
  );
  const last = asked.findLast((call) => isAnswered(call));
  if (last?.answer.kind === "refused") {
    witness.holds(last);
  } else if (last !== undefined && last.record.times.sentAtMicros - after >= deletionPatienceMs * 1000) {
    witness.breaks(
      last,
      `conversation ${own.conversation} still takes a question after its deletion was answered with success`,
    );
  }
}

const isAnswered = ({ answer }: ConversationCall): boolean => answer.kind === "success" || answer.kind === "refused";

const isReadOf = ({ operation, asked }: ConversationCall, { conversation }: OwnConversation): boolean =>
  operation === "get" && asked.conversation === conversation;

/** A list without filters that certainly shows all there is. */
function isWholeList(call: ConversationCall): boolean {
  const page = listPage(call);
  const isFiltered = [...call.asked.parameters.keys()].some((name) => name.startsWith("filter"));
  return page !== undefined && isWhole(page) && !isFiltered;
}

/** Whether the conversation itself came, and not only that it is gone. */
function isDelivered(call: ConversationCall, own: OwnConversation): boolean {
  const view = conversationView(call);
  return deliversText(call, own) || (view?.id === own.conversation && view.questions.length > 0);
}
