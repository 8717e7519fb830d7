import { isAcceptedAround } from "../engine/accepted-around.ts";
import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isMissing, isWronglyUnauthorized, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { listCalls, listPage, pageSize } from "./list-page.ts";
import { conversationOfToken, ownDuring, ownerIdOf } from "./own-facts.ts";

/**
 * All parameters of a list are optional, and each documented value is accepted. Source: conversation-api, section
 * 4.1.
 */
export const listParametersAreAccepted = defineCallRule({
  id: "legacy/list-parameters-are-accepted",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.hasGoodForm)) {
      judgeList(evidence, reporter, call);
    }
  },
});

function judgeList(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const names = [...call.asked.parameters.keys()].toSorted();
  const subject = names.join(" ");
  if (isMissing(call)) {
    reporter.misses(call, subject);
  }
  if (asksForOwn(evidence, call) || isAcceptedInRecording(evidence, call)) {
    const what = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    judgeRefusal(evidence, reporter, { call, what, subject });
  }
  const page = listPage(call);
  if (page !== undefined) {
    const { envelope } = page.view;
    const form = envelope === undefined ? "is empty or the array itself" : `is in the member \`${envelope}\``;
    reporter.passes(call, subject);
    reporter.notes(call, "legacy/list-envelope", `the list ${form}`);
  } else if (call.answer.kind === "success" && call.answer.json === undefined) {
    const what = names.length === 0 ? "a list" : `a list with ${names.map((name) => `\`${name}\``).join(", ")}`;
    reporter.fails(call, `${what} was answered with ${bodyForm(call)}`, subject);
  } else if (call.answer.kind === "success") {
    reporter.notes(call, "legacy/list-envelope", `no list is recognised: the response has ${bodyForm(call)}`);
  }
}

/** Whether a recording shows the same list accepted for the same client before and after, or its credential. */
const isAcceptedInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.record.credential === "unknown" && isAcceptedAround(evidence, call)) || isWronglyUnauthorized(evidence, call);

/** Larger pages may be refused: the maximum size is unspecified. */
const maxCertainPageSize = 100;

type Allowed = (evidence: ConversationEvidence, call: ConversationCall, value: string) => boolean;

/** Parameters that must be accepted under these conditions; others must never be. */
const allowed: Readonly<Partial<Record<string, Allowed>>> = {
  filter_id: (evidence, call, id) => ownDuring(evidence, call).some(({ conversation }) => conversation === id),
  filter_user_id: (evidence, call, id) => ownDuring(evidence, call).some((own) => ownerIdOf(own, call) === id),
  filter_read_token: (evidence, call) => conversationOfToken(evidence, call)?.user === userOf(call.record.credential),
  page_first: (_, call) => (pageSize(call) ?? Number.POSITIVE_INFINITY) <= maxCertainPageSize,
  page_after: (evidence, call, cursor) => isGivenCursor(evidence, call, cursor),
};

/** Whether a legacy list only requests the user's own data, so that it must be accepted. */
export const asksForOwn = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  [...call.asked.parameters].every(([name, value]) =>
    Object.hasOwn(allowed, name) ? allowed[name]?.(evidence, call, value) === true : true,
  );

const isGivenCursor = (evidence: ConversationEvidence, call: ConversationCall, cursor: string): boolean =>
  listCalls(evidence, "legacy").some(
    (other) =>
      other.record.times.endedAtMicros <= call.record.times.sentAtMicros && listPage(other)?.view.cursor === cursor,
  );
