import { containsConversation } from "./contains-conversation.ts";
import { isSecondUserKnown, noOtherUser } from "./other-users-conversation-is-hidden.ts";
import { isInterfaceInUse } from "./call-key.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { hasFailed } from "../engine/refusal.ts";
import { belongsToMainUser } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findListCalls, readListPage } from "../lists/list-page.ts";
import { findConversationWithToken } from "../lists/find-own-conversations.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";
import { member } from "@assay/reading";
import type { TargetFacts } from "../../engine/rule.ts";

const reasonUnlessSharing =
  (requiredSharing: TargetFacts["sharing"]) =>
  ({ sharing }: TargetFacts): string | undefined =>
    sharing === requiredSharing
      ? undefined
      : sharing === "undeclared"
        ? "sharing of the target is not declared (--sharing on|off)"
        : `sharing is ${sharing} on the target`;

interface SharedRead {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

/** Returns the list calls by the second user that filter by the read token of one of the main user's conversations. */
const findSharedReads = (evidence: ConversationEvidence): readonly SharedRead[] =>
  findListCalls(evidence, "legacy")
    .filter(({ request, record }) => record.credential === "other-token" && request.isWellFormed)
    .flatMap((call) => {
      const conversation = findConversationWithToken(evidence, call);
      return conversation !== undefined && belongsToMainUser(conversation.create.record.credential)
        ? [{ call, conversation }]
        : [];
    });

function judgeReads(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  judge: (evidence: ConversationEvidence, reporter: CallReporter, read: SharedRead) => void,
): void {
  const reads = findSharedReads(evidence);
  const wasRequested = findListCalls(evidence, "legacy").some(
    ({ request, record }) => record.credential === "other-token" && request.parameters.has("filter_read_token"),
  );
  if (reads.length === 0 && !wasRequested && isInterfaceInUse(evidence, "legacy")) {
    reporter.needs(noOtherUser);
  }
  for (const read of reads) {
    if (hasFailed(read.call) || read.call.response.kind === "not-api") {
      reporter.lacksResponse(read.call);
    } else {
      judge(evidence, reporter, read);
    }
  }
}

/**
 * With sharing on, a read token gives another user access to its conversation. Source: conversation-api, sections 4.1
 * and 5.
 */
export const sharedConversationIsReadable = defineCallRule({
  id: "legacy/shared-conversation-is-readable",
  exclusionReason: reasonUnlessSharing("on"),
  check: (evidence, reporter) => judgeReads(evidence, reporter, judgeShared),
});

function judgeShared(evidence: ConversationEvidence, reporter: CallReporter, { call, conversation }: SharedRead): void {
  const { response } = call;
  if (containsConversation(call, conversation)) {
    if (isListedWithoutQuestions(call, conversation)) {
      reporter.fails(
        call,
        `with sharing on, a second user who lists ${conversation.id} by its read token sees no questions`,
      );
    } else {
      reporter.passes(call);
    }
  } else if (response.kind === "refused") {
    if (isSecondUserKnown(evidence, call)) {
      reporter.fails(call, `with sharing on, a second user with the read token was refused with ${response.status}`);
    } else {
      reporter.needs(acceptedTokenPrerequisite);
    }
  } else if (readListPage(call) !== undefined) {
    reporter.fails(
      call,
      `with sharing on, a second user's list filtered by the read token of ${conversation.id} does not contain it`,
    );
  }
}

/** Reports whether a list contains a conversation without questions, although every conversation has at least one. */
const isListedWithoutQuestions = (call: ConversationCall, conversation: CreatedConversation): boolean =>
  readListPage(call)?.view.entries.some(
    ({ id, json, questions }) =>
      id === conversation.id && Array.isArray(member(json, "questions")) && questions.length === 0,
  ) === true;

/** With sharing off, a read token does not give another user access. Source: conversation-api, sections 4.1 and 5. */
export const unsharedConversationIsHidden = defineCallRule({
  id: "legacy/unshared-conversation-is-hidden",
  exclusionReason: reasonUnlessSharing("off"),
  check: (evidence, reporter) => judgeReads(evidence, reporter, judgeUnshared),
});

function judgeUnshared(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, conversation }: SharedRead,
): void {
  if (containsConversation(call, conversation)) {
    reporter.fails(call, `with sharing off, a second user read ${conversation.id} with its read token`);
  } else if (isSecondUserKnown(evidence, call)) {
    reporter.passes(call);
  } else {
    reporter.needs(acceptedTokenPrerequisite);
  }
}
