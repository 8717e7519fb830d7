import { isAcceptedAround } from "../engine/accepted-around.ts";
import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isMissing, isUnauthorizedByMistake, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { listCalls, listPage, pageSize } from "./list-page.ts";
import { conversationOfToken, ownDuring, ownerIdOf } from "./own-facts.ts";

/** All parameters of a list are optional, and each with a documented value is taken. Source: conversation-api, section 4.1. */
export const listParametersAreAccepted = defineWitnessedRule({
  id: "legacy/list-parameters-are-accepted",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.hasGoodForm)) {
      judgeList(evidence, witness, call);
    }
  },
});

function judgeList(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const names = [...call.asked.parameters.keys()].toSorted();
  const subject = names.join(" ");
  if (isMissing(call)) {
    witness.lacks(call, subject);
  }
  if (asksForOwn(evidence, call) || isAcceptedInRecording(evidence, call)) {
    const what = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    judgeRefusal(evidence, witness, { call, what, subject });
  }
  const page = listPage(call);
  if (page !== undefined) {
    const { envelope } = page.view;
    const form = envelope === undefined ? "is empty or the array itself" : `is in the member \`${envelope}\``;
    witness.holds(call, subject);
    witness.notes(call, "legacy/list-envelope", `the list ${form}`);
  } else if (call.answer.kind === "success" && call.answer.json === undefined) {
    const what = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    witness.breaks(call, `${what} was answered with ${bodyForm(call)}`, subject);
  } else if (call.answer.kind === "success") {
    witness.notes(call, "legacy/list-envelope", `no list is recognised: the answer holds ${bodyForm(call)}`);
  }
}

/** Whether a recording shows the very same list accepted, for the same client, before and after; or its credential. */
const isAcceptedInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.record.credential === "unknown" && isAcceptedAround(evidence, call)) || isUnauthorizedByMistake(evidence, call);

/** Pages that are larger may be refused: how large one may be is not documented. */
const maxCertainPageSize = 100;

type Allowed = (evidence: ConversationEvidence, call: ConversationCall, value: string) => boolean;

/** When nothing allows refusing a parameter; those that are not here never do. */
const allowed: Readonly<Partial<Record<string, Allowed>>> = {
  filter_id: (evidence, call, id) => ownDuring(evidence, call).some(({ conversation }) => conversation === id),
  filter_user_id: (evidence, call, id) => ownDuring(evidence, call).some((own) => ownerIdOf(own, call) === id),
  filter_read_token: (evidence, call) => conversationOfToken(evidence, call)?.user === userOf(call.record.credential),
  page_first: (_, call) => (pageSize(call) ?? Number.POSITIVE_INFINITY) <= maxCertainPageSize,
  page_after: (evidence, call, cursor) => isGivenCursor(evidence, call, cursor),
};

/** Whether a legacy list asks for nothing but what belongs to its user, so that nothing allows refusing it. */
export const asksForOwn = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  [...call.asked.parameters].every(([name, value]) =>
    Object.hasOwn(allowed, name) ? allowed[name]?.(evidence, call, value) === true : true,
  );

const isGivenCursor = (evidence: ConversationEvidence, call: ConversationCall, cursor: string): boolean =>
  listCalls(evidence, "legacy").some(
    (other) =>
      other.record.times.endedAtMicros <= call.record.times.sentAtMicros && listPage(other)?.view.cursor === cursor,
  );
