import { cachePerObject } from "../../engine/cache-per-object.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { isRead, mayHaveTakenEffect } from "../engine/conversation-call.ts";
import { findOwnConversation, findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { failsEachTime, hasFailed, isTokenSufficient } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findListPages } from "../lists/list-page.ts";

const ruleIds = {
  legacy: "legacy/unknown-id-is-not-found",
  current: "current/unknown-name-is-refused",
} as const;

/** The lowest number that is treated as an unknown id. A service numbers its conversations from 1. */
const minUnknownId = 1_000_000_000;

const defineUnknownConversationRule = (interfaceName: ConversationInterface): ConversationRule =>
  defineCallRule({
    id: ruleIds[interfaceName],
    check(evidence, reporter) {
      const unknownReads = evidence.calls.filter(
        (call) => call.interface === interfaceName && readsUnknownConversation(evidence, call),
      );
      unknownReads.forEach((call) => judgeRead(evidence, reporter, call));
      evidence.calls
        .filter((call) => call.interface === interfaceName)
        .forEach((call) => judgeCancel(evidence, reporter, call));
    },
  });

/** Reports whether a well-formed call with full access reads an invented id. */
export const readsUnknownConversation = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "get" &&
  call.request.isWellFormed &&
  hasFullAccess(call.record.credential) &&
  hasUnissuedId(call, findIssuedIds(evidence));

/** Returns the ids of all conversations that the run created or listed. Cached. */
const findIssuedIds = cachePerObject(
  (evidence: ConversationEvidence): ReadonlySet<string> =>
    new Set([
      ...findCreatedConversations(evidence).map(({ id }) => id),
      ...(["legacy", "current"] as const).flatMap((interfaceName) =>
        findListPages(evidence, interfaceName).flatMap(({ ids }) => ids),
      ),
    ]),
);

/** Reports whether a call requests an id that no conversation can have, and that no creation or list returned. */
function hasUnissuedId(
  { interface: interfaceName, request }: ConversationCall,
  issuedIds: ReadonlySet<string>,
): boolean {
  const id = request.conversationId ?? "";
  const isOutOfRange = /^\d+$/.test(id) ? Number(id) >= minUnknownId : interfaceName === "current";
  return isOutOfRange && !issuedIds.has(id);
}

function judgeRead(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const { response } = call;
  // A token that cannot read anything may be wrong.
  const canRead = evidence.calls.some(
    (other) =>
      other.interface === call.interface &&
      isRead(other) &&
      other.record.credential === call.record.credential &&
      other.response.kind === "success",
  );
  if (response.kind === "server-failure" && failsEachTime(evidence, call)) {
    judgeStatus(reporter, call, response.status);
  } else if (hasFailed(call) || response.kind === "not-api") {
    reporter.lacksResponse(call);
  } else if (response.kind === "success") {
    reporter.fails(call, `reading a conversation that was never created returned ${response.status}`);
  } else if (canRead && response.kind === "refused") {
    judgeStatus(reporter, call, response.status);
  }
}

/**
 * Judges the cancellation of a question that is not in the requested conversation: it belongs to another one, or its id
 * cannot exist.
 */
function judgeCancel(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const { operation, request, response } = call;
  const conversation = operation === "cancel" && request.isWellFormed ? findOwnConversation(evidence, call) : undefined;
  if (conversation === undefined || mayContainQuestion(conversation, call) || !hasFullAccess(call.record.credential)) {
    return;
  }
  const isInOtherConversation = findCreatedConversations(evidence).some(
    (other) => other !== conversation && mayContainQuestion(other, call),
  );
  if (!isInOtherConversation && Number(request.questionId) < minUnknownId) {
    return;
  }
  const description = isInOtherConversation ? "a question of another conversation" : "a question that was never asked";
  if (response.kind === "success") {
    reporter.fails(call, `cancelling ${description} returned ${response.status}`, "question");
  } else {
    judgeCancelRefusal(evidence, reporter, { call, description });
  }
}

function judgeCancelRefusal(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, description }: { readonly call: ConversationCall; readonly description: string },
): void {
  const { response, interface: interfaceName } = call;
  if (response.kind === "server-failure" && interfaceName === "legacy" && failsEachTime(evidence, call)) {
    reporter.fails(call, `cancelling ${description} was refused with ${response.status} instead of 404`, "question");
  } else if (response.kind === "refused" && isTokenSufficient(evidence, call)) {
    reporter.passes(call, "question");
  }
}

/** Reports whether a response shows the question to cancel in a conversation, or may not show it yet. */
function mayContainQuestion(
  { calls, id: conversationId }: CreatedConversation,
  { request, record }: ConversationCall,
): boolean {
  const showsQuestion = (call: ConversationCall): boolean => {
    const view = conversationView(call);
    return view?.id === conversationId && view.questions.some(({ id }) => id === request.questionId);
  };
  const isNotYetShown = ({ record: { times } }: ConversationCall): boolean =>
    !calls.some(
      (call) => call.record.times.sentAtMicros >= times.endedAtMicros && conversationView(call) !== undefined,
    );
  const followUps = calls.filter(
    (call) =>
      call.operation === "follow-up" &&
      mayHaveTakenEffect(call) &&
      call.record.times.sentAtMicros <= record.times.endedAtMicros,
  );
  return calls.some(showsQuestion) || followUps.some(isNotYetShown);
}

function judgeStatus(reporter: CallReporter, call: ConversationCall, status: number): void {
  if (call.interface === "legacy" && status !== 404) {
    reporter.fails(call, `reading a conversation that was never created was refused with ${status} instead of 404`);
  } else {
    reporter.passes(call);
  }
}

/** An unknown conversation is not found. Source: conversation-api, section 7. */
export const unknownIdIsNotFound = defineUnknownConversationRule("legacy");

/** An unknown conversation is not returned. Source: conversation-api, section 7. */
export const unknownNameIsRefused = defineUnknownConversationRule("current");
