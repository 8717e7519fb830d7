import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { listPages } from "../lists/list-page.ts";
import { createdConversations } from "../migration/created-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";
import { member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";

/** What names a conversation. */
const identifiers = { legacy: "id", current: "name" } as const;

/**
 * A question is taken with success and a conversation that has an identifier, in the legacy interface also that question, and makes no second one. Source: conversation-api, sections 3.1, 3.2,
 * 4.1 and 4.2.
 */
export const createIsAccepted = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/create-is-accepted`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        if (call.interface === name && call.operation === "create" && call.asked.question !== undefined) {
          judgeCreation(evidence, witness, call);
        }
      }
      judgeTwins(evidence, witness, name);
    },
  }),
);

function judgeCreation(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  if (isMissing(call)) {
    witness.lacks(call);
  }
  judgeRefusal(evidence, witness, { call, what: "a creation with a question" });
  if (call.answer.kind !== "success") {
    return;
  }
  const identifier = identifiers[call.interface];
  if (member(conversationView(call)?.json, identifier) === undefined) {
    witness.breaks(call, `a creation was answered with ${describe(call)}, which has no \`${identifier}\``);
  } else if (call.interface === "legacy" && hasNoQuestion(call)) {
    witness.breaks(call, "a creation was answered with a conversation that has no question");
  } else {
    witness.holds(call);
  }
}

/**
 * A creation makes one conversation: what else its user sees listed does not have its question, which nothing else asked. Lists
 * show it, or a read of what they name. What a recording of others does not show may have asked it. Source: conversation-api, section 1.
 */
function judgeTwins(evidence: ConversationEvidence, witness: Witness, name: ConversationInterface): void {
  const pages = listPages(evidence, name);
  const reads = strangeReads(evidence, name);
  for (const { conversation, create, question } of createdConversations(evidence)) {
    const user = userOf(create.record.credential);
    const isMeant = create.interface === name && create.record.credential !== "unknown";
    const own = pages.filter((page) => isMeant && page.user === user && page.ids.includes(conversation));
    const listed = new Set(own.flatMap(({ ids }) => ids));
    const shown = [
      ...own.flatMap(({ view }) => view.entries),
      ...reads.filter(({ id }) => id !== undefined && listed.has(id)),
    ];
    const twin = shown.find(
      ({ id, questions }) => id !== undefined && id !== conversation && questions[0]?.text === question,
    );
    if (twin?.id !== undefined) {
      const both = `${formatValue(conversation)} and ${formatValue(twin.id)}`;
      witness.breaks(create, `one creation made two conversations, ${both}: a list has both, with its question`);
    }
  }
}

/** What reads show of conversations that the run did not create. */
function strangeReads(evidence: ConversationEvidence, name: ConversationInterface): readonly ConversationView[] {
  const created = new Set(ownConversations(evidence).map(({ conversation }) => conversation));
  return evidence.calls.flatMap((call) => {
    const id = call.interface === name && call.operation === "get" ? call.asked.conversation : undefined;
    const view = id === undefined || created.has(id) ? undefined : conversationView(call);
    return view === undefined || view.id !== id ? [] : [view];
  });
}

/** Whether the list of questions is there and empty; a missing one is told by the schema. */
const hasNoQuestion = (call: ConversationCall): boolean => {
  const questions = member(conversationView(call)?.json, "questions");
  return Array.isArray(questions) && questions.length === 0;
};

const describe = (call: ConversationCall): string =>
  call.answer.kind === "success" && conversationView(call) === undefined ? (bodyForm(call) ?? "nothing") : "an object";
