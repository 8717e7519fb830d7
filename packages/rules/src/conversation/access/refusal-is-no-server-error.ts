import { unissuedTokens } from "@assay/evidence";
import { findProblem } from "./bad-request-is-refused.ts";
import { isUnknownName } from "./unknown-conversation.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation, findOwnConversation } from "../engine/own-conversations.ts";
import { findLastProgress } from "../engine/progress.ts";
import { failsEachTime } from "../engine/refusal.ts";
import { isOfMainUser, hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { listPages, pageParameters } from "../lists/list-page.ts";

/** Requests that must or may be refused, regardless of the behaviour of the target. */
interface Situation {
  /** The subject of the finding message. */
  readonly label: string;
  readonly applies: (evidence: ConversationEvidence, call: ConversationCall) => boolean;
}

/**
 * Reports whether the last response before a cancellation shows that its question had ended, and no further question
 * was asked since.
 */
function isLateCancel(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const ownConversation = call.operation === "cancel" ? findOwnConversation(evidence, call) : undefined;
  if (ownConversation === undefined || !hasFullAccess(call.record.credential)) {
    return false;
  }
  const { sentAtMicros } = call.record.times;
  const lastProgress = findLastProgress(ownConversation, sentAtMicros, call.request.questionId);
  return (
    lastProgress?.progress === "finished" &&
    !ownConversation.calls.some(
      (other) =>
        other.operation === "follow-up" &&
        mayHaveTakenEffect(other) &&
        other.record.times.endedAtMicros >= lastProgress.call.record.times.sentAtMicros &&
        other.record.times.sentAtMicros <= sentAtMicros,
    )
  );
}

const isMadeUpCursor = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const cursor =
    call.operation === "list" ? call.request.parameters.get(pageParameters[call.interface].cursor) : undefined;
  return (
    cursor !== undefined &&
    hasFullAccess(call.record.credential) &&
    !listPages(evidence, call.interface).some(({ view }) => view.cursor === cursor)
  );
};

const isByOther = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const ownConversation = call.record.credential === "other-token" ? existingConversation(evidence, call) : undefined;
  return ownConversation !== undefined && isOfMainUser(ownConversation.create.record.credential);
};

const inBoth: readonly Situation[] = [
  { label: "a cancellation after the end", applies: isLateCancel },
  { label: "a list with a cursor that no list returned", applies: isMadeUpCursor },
  { label: "a second user's call about a conversation of the first", applies: isByOther },
];

const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

const unscoped: ReadonlySet<string> = new Set(["unscoped-token", "unscoped-oauth-token"]);

const badCredentials: ReadonlySet<string> = new Set(["none", ...unissuedTokens]);

/** The legacy interface specifies status codes for these situations, so other rules check them there. */
const inCurrent: readonly Situation[] = [
  { label: "getting a conversation that was never created", applies: isUnknownName },
  {
    label: "a creation without a question",
    applies: (_, call) => call.operation === "create" && findProblem(call) !== undefined,
  },
  { label: "a call without an issued token", applies: (_, { record }) => badCredentials.has(record.credential) },
  { label: "a call with a token that lacks the scope", applies: (_, { record }) => unscoped.has(record.credential) },
  {
    label: "a write with a token that has only the scope for reading",
    applies: (_, call) => call.record.credential === "read-token" && !isRead(call),
  },
  {
    label: "a read with a token that has only the scope for writing",
    applies: (_, call) => call.record.credential === "write-token" && isRead(call),
  },
];

const situations = { legacy: inBoth, current: [...inBoth, ...inCurrent] } as const;

/**
 * A forbidden request is a mistake of the caller, but a status of 500 or above every time blames the server. A single
 * one, or one with a retry time, may be temporary. Source: conversation-api, section 7.
 */
export const refusalIsNoServerError = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/refusal-is-no-server-error`,
    check(evidence, reporter) {
      for (const { label, applies } of situations[name]) {
        const matching = new Set(evidence.calls.filter((call) => call.interface === name && applies(evidence, call)));
        for (const call of matching) {
          const { response } = call;
          if (response.kind === "refused") {
            reporter.passes(call);
          } else if (
            response.kind === "server-failure" &&
            failsEachTime(evidence, call, (other) => matching.has(other) && other.response.kind !== "refused")
          ) {
            reporter.fails(call, `${label} was answered with ${response.status} each time`);
          }
        }
      }
    },
  }),
);
