import { describeBody } from "../engine/describe-body.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findListPages } from "../lists/list-page.ts";
import { findIdentifiedConversations } from "../migration/identified-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";
import { member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";

/** The member that identifies a conversation. */
const identifierMembers = { legacy: "id", current: "name" } as const;

/**
 * A creation succeeds and returns one conversation with an identifier. In the legacy interface it also returns the
 * question. Source: conversation-api, sections 3.1, 3.2, 4.1 and 4.2.
 */
export const createIsAccepted = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/create-is-accepted`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        if (call.interface === interfaceName && call.operation === "create" && call.request.question !== undefined) {
          judgeCreation(evidence, reporter, call);
        }
      }
      judgeDuplicates(evidence, reporter, interfaceName);
    },
  }),
);

function judgeCreation(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  if (isResponseMissing(call)) {
    reporter.lacksResponse(call);
  }
  judgeRefusal(evidence, reporter, { call, description: "a creation with a question" });
  if (call.response.kind !== "success") {
    return;
  }
  const identifier = identifierMembers[call.interface];
  if (member(conversationView(call)?.json, identifier) === undefined) {
    reporter.fails(call, `a creation returned ${describeResponse(call)}, which does not contain \`${identifier}\``);
  } else if (call.interface === "legacy" && hasNoQuestion(call)) {
    reporter.fails(call, "a creation returned a conversation that has no question");
  } else {
    reporter.passes(call);
  }
}

/**
 * Checks that a creation makes one conversation: no other listed conversation of its user contains the question, unless
 * another request asked it. Lists show this, or reads of listed conversations. In a recording of several users, an
 * unrecorded request may have asked it. Source: conversation-api, section 1.
 */
function judgeDuplicates(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  interfaceName: ConversationInterface,
): void {
  const pages = findListPages(evidence, interfaceName);
  const reads = readsOfOtherConversations(evidence, interfaceName);
  for (const { id: createdId, create, question } of findIdentifiedConversations(evidence)) {
    const user = userOf(create.record.credential);
    const canBeJudged = create.interface === interfaceName && create.record.credential !== "unknown";
    const ownPages = pages.filter((page) => canBeJudged && page.user === user && page.ids.includes(createdId));
    const listedIds = new Set(ownPages.flatMap(({ ids }) => ids));
    const listedConversations = [
      ...ownPages.flatMap(({ view }) => view.entries),
      ...reads.filter(({ id }) => id !== undefined && listedIds.has(id)),
    ];
    const duplicate = listedConversations.find(
      ({ id, questions }) => id !== undefined && id !== createdId && questions[0]?.text === question,
    );
    if (duplicate?.id !== undefined) {
      const bothIds = `${formatValue(createdId)} and ${formatValue(duplicate.id)}`;
      reporter.fails(
        create,
        `one creation made two conversations, ${bothIds}: a list contains both, with the same question`,
      );
    }
  }
}

/** Reads of conversations that the run did not create. */
function readsOfOtherConversations(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
): readonly ConversationView[] {
  const createdIds = new Set(findCreatedConversations(evidence).map(({ id }) => id));
  return evidence.calls.flatMap((call) => {
    const id = call.interface === interfaceName && call.operation === "get" ? call.request.conversationId : undefined;
    const view = id === undefined || createdIds.has(id) ? undefined : conversationView(call);
    return view === undefined || view.id !== id ? [] : [view];
  });
}

/**
 * Reports whether the list of questions is present and empty. `legacy/conversation-fits-schema` reports a missing list.
 */
const hasNoQuestion = (call: ConversationCall): boolean => {
  const questions = member(conversationView(call)?.json, "questions");
  return Array.isArray(questions) && questions.length === 0;
};

const describeResponse = (call: ConversationCall): string =>
  call.response.kind === "success" && conversationView(call) === undefined
    ? (describeBody(call) ?? "nothing")
    : "an object";
