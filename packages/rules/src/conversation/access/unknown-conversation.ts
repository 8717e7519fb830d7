import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import { ownConversation, ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
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
      const sent = evidence.calls.filter((call) => call.interface === name && isUnknownName(evidence, call));
      sent.forEach((call) => judgeRead(evidence, witness, call));
      evidence.calls.filter((call) => call.interface === name).forEach((call) => judgeCancel(evidence, witness, call));
    },
  });

/** Whether a call of a good form reads what no answer gave an id of, by somebody who may read everything. */
export const isUnknownName = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "get" &&
  call.asked.hasGoodForm &&
  mayDoEverything(call.record.credential) &&
  isUnknown(call, issuedIds(evidence));

const issued = new WeakMap<ConversationEvidence, ReadonlySet<string>>();

/** Ids that any answer gave out; computed once. */
function issuedIds(evidence: ConversationEvidence): ReadonlySet<string> {
  const ids = issued.get(evidence) ?? collectIds(evidence);
  issued.set(evidence, ids);
  return ids;
}

const collectIds = (evidence: ConversationEvidence): ReadonlySet<string> =>
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
  if (answer.kind === "distress" && failsEachTime(evidence, call)) {
    judgeStatus(witness, call, answer.status);
  } else if (isBroken(call) || answer.kind === "elsewhere") {
    witness.lacks(call);
  } else if (answer.kind === "success") {
    witness.breaks(call, `getting a conversation that was never created was answered with ${answer.status}`);
  } else if (isWorking && answer.kind === "refused") {
    judgeStatus(witness, call, answer.status);
  }
}

/** The cancellation of a question that an own conversation does not have: another one has it, or no service can have given it out. */
function judgeCancel(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const { operation, asked, answer } = call;
  const own = operation === "cancel" && asked.hasGoodForm ? ownConversation(evidence, call) : undefined;
  if (own === undefined || isIn(own, call) || !mayDoEverything(call.record.credential)) {
    return;
  }
  const isElsewhere = ownConversations(evidence).some((other) => other !== own && isIn(other, call));
  if (!isElsewhere && Number(asked.questionId) < minUnknownId) {
    return;
  }
  const what = isElsewhere ? "a question of another conversation" : "a question that was never asked";
  if (answer.kind === "success") {
    witness.breaks(call, `cancelling ${what} was answered with ${answer.status}`, "question");
  } else {
    judgeCancelRefusal(evidence, witness, { call, what });
  }
}

function judgeCancelRefusal(
  evidence: ConversationEvidence,
  witness: Witness,
  { call, what }: { readonly call: ConversationCall; readonly what: string },
): void {
  const { answer, interface: name } = call;
  if (answer.kind === "distress" && name === "legacy" && failsEachTime(evidence, call)) {
    witness.breaks(call, `cancelling ${what} was refused with ${answer.status} instead of 404`, "question");
  } else if (answer.kind === "refused" && isTokenProven(evidence, call)) {
    witness.holds(call, "question");
  }
}

/** Whether an answer shows the question that is to be cancelled in a conversation, or may not have shown it yet. */
function isIn({ calls, conversation }: OwnConversation, { asked, record }: ConversationCall): boolean {
  const hasIt = (call: ConversationCall): boolean => {
    const view = conversationView(call);
    return view?.id === conversation && view.questions.some(({ id }) => id === asked.questionId);
  };
  const isUnseen = ({ record: { times } }: ConversationCall): boolean =>
    !calls.some(
      (call) => call.record.times.sentAtMicros >= times.endedAtMicros && conversationView(call) !== undefined,
    );
  const followUps = calls.filter(
    (call) =>
      call.operation === "follow-up" &&
      mayHaveHappened(call) &&
      call.record.times.sentAtMicros <= record.times.endedAtMicros,
  );
  return calls.some(hasIt) || followUps.some(isUnseen);
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
