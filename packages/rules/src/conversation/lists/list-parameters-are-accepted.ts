import { wasAcceptedBeforeAndAfter } from "../engine/accepted-before-and-after.ts";
import { describeBody } from "../engine/describe-body.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing, isWronglyUnauthorized, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findListCalls, readListPage, maxRequiredPageSize, requestedPageSize } from "./list-page.ts";
import { findConversationWithToken, findOwnConversationsDuring, findOwnerId } from "./find-own-conversations.ts";

/**
 * All parameters of a list are optional, and each documented value is accepted. Source: conversation-api, section 4.1.
 */
export const listParametersAreAccepted = defineCallRule({
  id: "legacy/list-parameters-are-accepted",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy").filter(({ request }) => request.isWellFormed)) {
      judgeList(evidence, reporter, call);
    }
  },
});

function judgeList(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const names = [...call.request.parameters.keys()].toSorted();
  const subject = names.join(" ");
  if (isResponseMissing(call)) {
    reporter.lacksResponse(call, subject);
  }
  if (requestsOwnData(evidence, call) || isAcceptedInRecording(evidence, call)) {
    const label = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    judgeRefusal(evidence, reporter, { call, description: label, subject });
  }
  const page = readListPage(call);
  if (page !== undefined) {
    const { envelope } = page.view;
    const formDescription =
      envelope === undefined ? "is empty or the array itself" : `is in the member \`${envelope}\``;
    reporter.passes(call, subject);
    reporter.notes(call, "legacy/list-envelope", `the list ${formDescription}`);
  } else if (call.response.kind === "success" && call.response.json === undefined) {
    const label = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    reporter.fails(call, `${label} returned ${describeBody(call)}`, subject);
  } else if (call.response.kind === "success") {
    reporter.notes(call, "legacy/list-envelope", `no list was recognized: the response is ${describeBody(call)}`);
  }
}

/** Reports whether a recording shows that the same client or credential was accepted before and after. */
const isAcceptedInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.record.credential === "unknown" && wasAcceptedBeforeAndAfter(evidence, call)) ||
  isWronglyUnauthorized(evidence, call);

type Condition = (evidence: ConversationEvidence, call: ConversationCall, value: string) => boolean;

/** Parameters that must be accepted under these conditions. Values that do not meet them may be refused. */
const conditions: Readonly<Partial<Record<string, Condition>>> = {
  filter_id: (evidence, call, value) => findOwnConversationsDuring(evidence, call).some(({ id }) => id === value),
  filter_user_id: (evidence, call, id) =>
    findOwnConversationsDuring(evidence, call).some((conversation) => findOwnerId(conversation, call) === id),
  filter_read_token: (evidence, call) =>
    findConversationWithToken(evidence, call)?.user === userOf(call.record.credential),
  page_first: (_, call) => (requestedPageSize(call) ?? Number.POSITIVE_INFINITY) <= maxRequiredPageSize,
  page_after: (evidence, call, cursor) => isReturnedCursor(evidence, call, cursor),
};

/** Reports whether a legacy list requests only the user's own data, so that it must be accepted. */
export const requestsOwnData = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  [...call.request.parameters].every(([name, value]) =>
    Object.hasOwn(conditions, name) ? conditions[name]?.(evidence, call, value) === true : true,
  );

const isReturnedCursor = (evidence: ConversationEvidence, call: ConversationCall, cursor: string): boolean =>
  findListCalls(evidence, "legacy").some(
    (other) =>
      other.record.times.endedAtMicros <= call.record.times.sentAtMicros && readListPage(other)?.view.cursor === cursor,
  );
