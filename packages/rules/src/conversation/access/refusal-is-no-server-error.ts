import { unissuedTokens } from "@assay/evidence";
import { findBodyProblem } from "./bad-request-is-refused.ts";
import { readsUnknownConversation } from "./unknown-conversation.ts";
import { isRead, mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { findExistingConversation, findOwnConversation } from "../engine/created-conversations.ts";
import { findLastProgress } from "../engine/progress.ts";
import { failsEachTime } from "../engine/refusal.ts";
import { belongsToMainUser, hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { findListPages, pageParameters } from "../lists/list-page.ts";

/** A kind of request that must or may be refused, regardless of the behaviour of the target. */
interface Situation {
  /** The subject of the finding message. */
  readonly label: string;
  readonly appliesTo: (evidence: ConversationEvidence, call: ConversationCall) => boolean;
}

/**
 * Reports whether the last response before a cancellation shows that its question had ended, and no further question
 * was asked since.
 */
function isLateCancellation(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const conversation = call.operation === "cancel" ? findOwnConversation(evidence, call) : undefined;
  if (conversation === undefined || !hasFullAccess(call.record.credential)) {
    return false;
  }
  const { sentAtMicros } = call.record.times;
  const lastProgress = findLastProgress(conversation, sentAtMicros, call.request.questionId);
  return (
    lastProgress?.progress === "finished" &&
    !conversation.calls.some(
      (other) =>
        other.operation === "follow-up" &&
        mayHaveTakenEffect(other) &&
        other.record.times.endedAtMicros >= lastProgress.call.record.times.sentAtMicros &&
        other.record.times.sentAtMicros <= sentAtMicros,
    )
  );
}

const usesInventedCursor = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const cursor =
    call.operation === "list" ? call.request.parameters.get(pageParameters[call.interface].cursor) : undefined;
  return (
    cursor !== undefined &&
    hasFullAccess(call.record.credential) &&
    !findListPages(evidence, call.interface).some(({ view }) => view.cursor === cursor)
  );
};

/** Reports whether the second user's call is about a conversation of the main user. */
const concernsOtherUsersConversation = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const conversation = call.record.credential === "other-token" ? findExistingConversation(evidence, call) : undefined;
  return conversation !== undefined && belongsToMainUser(conversation.create.record.credential);
};

const commonSituations: readonly Situation[] = [
  { label: "a cancellation after the end", appliesTo: isLateCancellation },
  { label: "a list with a cursor that no list returned", appliesTo: usesInventedCursor },
  { label: "a second user's call about a conversation of the first", appliesTo: concernsOtherUsersConversation },
];

const unscopedCredentials: ReadonlySet<string> = new Set(["unscoped-token", "unscoped-oauth-token"]);

const usesOtherMethod = ({ interface: interfaceName, record }: ConversationCall): boolean =>
  interfaceName === "current" && record.request.method !== "POST";

const invalidCredentials: ReadonlySet<string> = new Set(["none", ...unissuedTokens]);

/**
 * The legacy interface specifies status codes for these situations, so the rules about each refusal check them there.
 */
const currentSituations: readonly Situation[] = [
  { label: "reading a conversation that was never created", appliesTo: readsUnknownConversation },
  { label: "an operation called with another method than POST", appliesTo: (_, call) => usesOtherMethod(call) },
  {
    label: "a creation without a question",
    appliesTo: (_, call) => call.operation === "create" && findBodyProblem(call) !== undefined,
  },
  { label: "a call without an issued token", appliesTo: (_, { record }) => invalidCredentials.has(record.credential) },
  {
    label: "a call with a token that lacks the scope",
    appliesTo: (_, { record }) => unscopedCredentials.has(record.credential),
  },
  {
    label: "a write with a token that has only the scope for reading",
    appliesTo: (_, call) => call.record.credential === "read-token" && !isRead(call),
  },
  {
    label: "a read with a token that has only the scope for writing",
    appliesTo: (_, call) => call.record.credential === "write-token" && isRead(call),
  },
];

/** The status 501 says that a method is not supported. Source: RFC 9110, section 15.6.2. */
const isMethodUnknown = (call: ConversationCall): boolean =>
  usesOtherMethod(call) && call.response.kind === "server-failure" && call.response.status === 501;

const situations = { legacy: commonSituations, current: [...commonSituations, ...currentSituations] } as const;

/**
 * A forbidden request is an error of the caller, so it must not return a status of 500 or above every time. If that
 * status occurs once, or with a retry time, it may be temporary. Source: conversation-api, section 7.
 */
export const refusalIsNoServerError = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/refusal-is-no-server-error`,
    check(evidence, reporter) {
      for (const { label, appliesTo } of situations[interfaceName]) {
        const matchingCalls = new Set(
          evidence.calls.filter((call) => call.interface === interfaceName && appliesTo(evidence, call)),
        );
        for (const call of matchingCalls) {
          const { response } = call;
          if (response.kind === "refused" || isMethodUnknown(call)) {
            reporter.passes(call);
          } else if (response.kind === "success" && usesOtherMethod(call)) {
            const { method } = call.record.request;
            reporter.notes(
              call,
              "current/other-method",
              `an operation called with ${method} returned ${response.status}`,
            );
          } else if (
            response.kind === "server-failure" &&
            failsEachTime(evidence, call, (other) => matchingCalls.has(other) && other.response.kind !== "refused")
          ) {
            reporter.fails(call, `${label} returned ${response.status} each time`);
          }
        }
      }
    },
  }),
);
