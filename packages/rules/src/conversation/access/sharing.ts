import { delivers } from "./delivered.ts";
import { isToKnownUser, otherUserMissing } from "./other-users-conversation-is-hidden.ts";
import { isInUse } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isBroken } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { listCalls, listPage } from "../lists/list-page.ts";
import { conversationOfToken } from "../lists/own-facts.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";
import { member } from "@assay/reading";
import type { TargetFacts } from "../../engine/rule.ts";

const unless =
  (wanted: TargetFacts["sharing"]) =>
  ({ sharing }: TargetFacts): string | undefined =>
    sharing === wanted
      ? undefined
      : sharing === "undeclared"
        ? "whether sharing is enabled on the target was not said (--sharing on|off)"
        : `sharing is ${sharing} on the target`;

interface SharedRead {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

/** Lists that the second user asked for by the read token of a conversation of the main user. */
const sharedReads = (evidence: ConversationEvidence): readonly SharedRead[] =>
  listCalls(evidence, "legacy")
    .filter(({ asked, record }) => record.credential === "other-token" && asked.hasGoodForm)
    .flatMap((call) => {
      const own = conversationOfToken(evidence, call);
      return own !== undefined && isOfMainUser(own.create.record.credential) ? [{ call, own }] : [];
    });

function judgeReads(
  evidence: ConversationEvidence,
  witness: Witness,
  judge: (evidence: ConversationEvidence, witness: Witness, read: SharedRead) => void,
): void {
  const reads = sharedReads(evidence);
  const isAsked = listCalls(evidence, "legacy").some(
    ({ asked, record }) => record.credential === "other-token" && asked.parameters.has("filter_read_token"),
  );
  if (reads.length === 0 && !isAsked && isInUse(evidence, "legacy")) {
    witness.needs(otherUserMissing);
  }
  for (const read of reads) {
    if (isBroken(read.call) || read.call.answer.kind === "elsewhere") {
      witness.lacks(read.call);
    } else {
      judge(evidence, witness, read);
    }
  }
}

/** With sharing enabled, a read token opens its conversation to another user. Source: conversation-api, sections 4.1 and 5. */
export const sharedConversationIsReadable = defineWitnessedRule({
  id: "legacy/shared-conversation-is-readable",
  excludes: unless("on"),
  check: (evidence, witness) => judgeReads(evidence, witness, judgeShared),
});

function judgeShared(evidence: ConversationEvidence, witness: Witness, { call, own }: SharedRead): void {
  const { answer } = call;
  if (delivers(call, own)) {
    if (isEmptyIn(call, own)) {
      witness.breaks(
        call,
        `with sharing on, ${own.conversation} has no questions for a second user with its read token`,
      );
    } else {
      witness.holds(call);
    }
  } else if (answer.kind === "refused") {
    if (isToKnownUser(evidence, call)) {
      witness.breaks(call, `with sharing on, a second user with the read token was refused with ${answer.status}`);
    } else {
      witness.needs(acceptedTokenMissing);
    }
  } else if (listPage(call) !== undefined) {
    witness.breaks(call, `with sharing on, the list by its read token lacks ${own.conversation} for a second user`);
  }
}

/** Whether a list shows a conversation with none of its questions, though it has at least the one that created it. */
const isEmptyIn = (call: ConversationCall, own: OwnConversation): boolean =>
  listPage(call)?.view.entries.some(
    ({ id, json, questions }) =>
      id === own.conversation && Array.isArray(member(json, "questions")) && questions.length === 0,
  ) === true;

/** Without sharing, a read token opens nothing to another user. Source: conversation-api, sections 4.1 and 5. */
export const unsharedConversationIsHidden = defineWitnessedRule({
  id: "legacy/unshared-conversation-is-hidden",
  excludes: unless("off"),
  check: (evidence, witness) => judgeReads(evidence, witness, judgeUnshared),
});

function judgeUnshared(evidence: ConversationEvidence, witness: Witness, { call, own }: SharedRead): void {
  if (delivers(call, own)) {
    witness.breaks(call, `with sharing off, a second user got ${own.conversation} by its read token`);
  } else if (isToKnownUser(evidence, call)) {
    witness.holds(call);
  } else {
    witness.needs(acceptedTokenMissing);
  }
}
