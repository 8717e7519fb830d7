import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversation, ownConversations } from "../engine/own-conversations.ts";
import { failsEachTime, isBroken, isTokenProven } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { listPages } from "../lists/list-page.ts";

const rules = {
  legacy: "legacy/unknown-id-is-not-found",
  current: "current/unknown-name-is-refused",
} as const;

/** Numbers from here on are no ids: a service counts its conversations. */
const minUnknownId = 1_000_000_000;

const unknownConversation = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: rules[name],
    check(evidence, witness) {
      const issued = issuedIds(evidence);
      const sent = evidence.calls.filter(
        (call) =>
          call.interface === name &&
          call.operation === "get" &&
          call.asked.hasGoodForm &&
          mayDoEverything(call.record.credential) &&
          isUnknown(call, issued),
      );
      sent.forEach((call) => judgeRead(evidence, witness, call));
      evidence.calls.filter((call) => call.interface === name).forEach((call) => judgeCancel(evidence, witness, call));
    },
  });

/** Ids that any answer gave out. */
const issuedIds = (evidence: ConversationEvidence): ReadonlySet<string> =>
  new Set([
    ...ownConversations(evidence).map(({ conversation }) => conversation),
    ...(["legacy", "current"] as const).flatMap((name) => listPages(evidence, name).flatMap(({ ids }) => ids)),
  ]);

function isUnknown({ interface: name, asked }: ConversationCall, issued: ReadonlySet<string>): boolean {
  const id = asked.conversation ?? "";
  const cannotBe = /^\d+$/.test(id) ? Number(id) >= minUnknownId : name === "current";
  return cannotBe && !issued.has(id);
}

function judgeRead(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const { answer } = call;
  // A token that reads nothing at all may just be wrong.
  const isWorking = evidence.calls.some(
    (other) =>
      other.interface === call.interface &&
      (other.operation === "get" || other.operation === "list") &&
      other.record.credential === call.record.credential &&
      other.answer.kind === "success",
  );
  if (call.interface === "legacy" && failsEachTime(evidence, call)) {
    judgeStatus(witness, call, 500);
  } else if (isBroken(call) || answer.kind === "elsewhere") {
    witness.lacks(call);
  } else if (answer.kind === "success") {
    witness.breaks(call, `getting a conversation that was never created was answered with ${answer.status}`);
  } else if (isWorking && answer.kind === "refused") {
    judgeStatus(witness, call, answer.status);
  }
}

/** The cancellation of a question that an own conversation does not have, and that no service can have given out. */
function judgeCancel(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const { operation, asked, answer } = call;
  const isUnknownQuestion = operation === "cancel" && asked.hasGoodForm && Number(asked.questionId) >= minUnknownId;
  const own = isUnknownQuestion ? ownConversation(evidence, call) : undefined;
  const isIssued = own?.calls.some((other) =>
    conversationView(other)?.questions.some(({ id }) => id === asked.questionId),
  );
  if (own === undefined || isIssued === true || !mayDoEverything(call.record.credential)) {
    return;
  }
  if (answer.kind === "success") {
    witness.breaks(call, `cancelling a question that was never asked was answered with ${answer.status}`, "question");
  } else if (answer.kind === "refused" && isTokenProven(evidence, call)) {
    witness.holds(call, "question");
  }
}

function judgeStatus(witness: Witness, call: ConversationCall, status: number): void {
  if (call.interface === "legacy" && status !== 404) {
    witness.breaks(call, `getting a conversation that was never created was refused with ${status} instead of 404`);
  } else {
    witness.holds(call);
  }
}

/** What does not exist is not found. Source: conversation-api, section 7. */
export const unknownIdIsNotFound = unknownConversation("legacy");

/** What does not exist is not delivered. Source: conversation-api, section 7. */
export const unknownNameIsRefused = unknownConversation("current");
