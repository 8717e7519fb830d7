import { describeBody } from "../engine/describe-body.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { isCompleteList, findListCalls, readListPage, maxRequiredPageSize, requestedPageSize } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { mustBeListed, findOwnConversationsDuring } from "./find-own-conversations.ts";
import { currentRequestNames } from "@assay/contract";
import { isRecord } from "@assay/reading";

/**
 * A request for the conversations of `users/~self` returns a list that contains those the user created. The format of
 * the list is unspecified, so an unrecognized response is not a violation. Source: conversation-api, sections 2.4 and
 * 4.2.
 */
export const listIsAccepted = defineCallRule({
  id: "current/list-is-accepted",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "current").filter(requestsSelf)) {
      judgeList(evidence, reporter, call);
    }
  },
});

/** Reports whether a list requests the conversations of `users/~self`. */
export const requestsSelf = (call: ConversationCall): boolean =>
  call.request.parameters.get("parent") === "users/~self";

function judgeList(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  if (isResponseMissing(call)) {
    reporter.lacksResponse(call);
  }
  if (isMinimalList(call)) {
    judgeRefusal(evidence, reporter, { call, description: "a list of `users/~self`" });
  }
  const page = readListPage(call);
  const missingId = page === undefined ? undefined : findMissingId(evidence, page);
  if (missingId !== undefined) {
    reporter.fails(call, `the list of \`users/~self\` lacks ${missingId}, which the same user created`);
  } else if (page !== undefined) {
    reporter.passes(call);
    const { envelope } = page.view;
    reporter.notes(
      call,
      "current/list-body",
      `the list is ${envelope === undefined ? "empty or the array itself" : `in \`${envelope}\``}`,
    );
  } else if (call.response.kind === "success") {
    reporter.notes(call, "current/list-body", `no list was recognized: the response is ${describeBody(call)}`);
  }
}

const minimalListMembers: ReadonlySet<string> = new Set(["parent", ...currentRequestNames.size]);

/**
 * Reports whether a list of the current interface contains only a parent and a page size within `maxRequiredPageSize`.
 */
export const isMinimalList = (call: ConversationCall): boolean =>
  isRecord(call.request.json) &&
  Object.keys(call.request.json).every((name) => minimalListMembers.has(name)) &&
  (requestedPageSize(call) ?? 1) <= maxRequiredPageSize;

function findMissingId(evidence: ConversationEvidence, page: ListPage): string | undefined {
  if (!isMinimalList(page.call) || !isCompleteList(page) || !hasFullAccess(page.call.record.credential)) {
    return undefined;
  }
  return findOwnConversationsDuring(evidence, page.call).find(
    (conversation) => !page.ids.includes(conversation.id) && mustBeListed(conversation, page.call),
  )?.id;
}
