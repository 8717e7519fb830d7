import { unissuedTokens } from "@assay/evidence";
import { flawOf } from "./bad-request-is-refused.ts";
import { isUnknownName } from "./unknown-conversation.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import { isRead } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation, ownConversation } from "../engine/own-conversations.ts";
import { lastShowing } from "../engine/progress.ts";
import { failsEachTime } from "../engine/refusal.ts";
import { isOfMainUser, mayDoEverything } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { listPages, pageParameters } from "../lists/list-page.ts";

/** Requests that must or may be refused, whatever else the target does. */
interface Situation {
  /** Subject of the message. */
  readonly what: string;
  readonly isMeant: (evidence: ConversationEvidence, call: ConversationCall) => boolean;
}

/** Whether the last response before a cancellation shows its question ended, and no further one was asked since. */
function isLateCancel(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const own = call.operation === "cancel" ? ownConversation(evidence, call) : undefined;
  if (own === undefined || !mayDoEverything(call.record.credential)) {
    return false;
  }
  const { sentAtMicros } = call.record.times;
  const shown = lastShowing(own, sentAtMicros, call.asked.questionId);
  return (
    shown?.progress === "finished" &&
    !own.calls.some(
      (other) =>
        other.operation === "follow-up" &&
        mayHaveHappened(other) &&
        other.record.times.endedAtMicros >= shown.call.record.times.sentAtMicros &&
        other.record.times.sentAtMicros <= sentAtMicros,
    )
  );
}

const isMadeUpCursor = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const cursor =
    call.operation === "list" ? call.asked.parameters.get(pageParameters[call.interface].cursor) : undefined;
  return (
    cursor !== undefined &&
    mayDoEverything(call.record.credential) &&
    !listPages(evidence, call.interface).some(({ view }) => view.cursor === cursor)
  );
};

const isByOther = (evidence: ConversationEvidence, call: ConversationCall): boolean => {
  const own = call.record.credential === "other-token" ? existingConversation(evidence, call) : undefined;
  return own !== undefined && isOfMainUser(own.create.record.credential);
};

const inBoth: readonly Situation[] = [
  { what: "a cancellation after the end", isMeant: isLateCancel },
  { what: "a list with a cursor that no list gave out", isMeant: isMadeUpCursor },
  { what: "a second user's call about a conversation of the first", isMeant: isByOther },
];

const unscoped: ReadonlySet<string> = new Set(["unscoped-token", "unscoped-oauth-token"]);

const badCredentials: ReadonlySet<string> = new Set(["none", ...unissuedTokens]);

/** The legacy interface specifies the statuses of these; separate rules check them there. */
const inCurrent: readonly Situation[] = [
  { what: "getting a conversation that was never created", isMeant: isUnknownName },
  {
    what: "a creation that asks nothing",
    isMeant: (_, call) => call.operation === "create" && flawOf(call) !== undefined,
  },
  { what: "a call without a token that was issued", isMeant: (_, { record }) => badCredentials.has(record.credential) },
  { what: "a call with a token that lacks the scope", isMeant: (_, { record }) => unscoped.has(record.credential) },
  {
    what: "a write with a token that has only the scope for reading",
    isMeant: (_, call) => call.record.credential === "read-token" && !isRead(call),
  },
  {
    what: "a read with a token that has only the scope for writing",
    isMeant: (_, call) => call.record.credential === "write-token" && isRead(call),
  },
];

const situations = { legacy: inBoth, current: [...inBoth, ...inCurrent] } as const;

/**
 * A forbidden request is a mistake of the caller, but a status from 500 every time blames the server. A single one,
 * or one with a retry time, may be temporary. Source: conversation-api, section 7.
 */
export const refusalIsNoServerError = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/refusal-is-no-server-error`,
    check(evidence, reporter) {
      for (const { what, isMeant } of situations[name]) {
        const meant = new Set(evidence.calls.filter((call) => call.interface === name && isMeant(evidence, call)));
        for (const call of meant) {
          const { answer } = call;
          if (answer.kind === "refused") {
            reporter.passes(call);
          } else if (
            answer.kind === "distress" &&
            failsEachTime(evidence, call, (other) => meant.has(other) && other.answer.kind !== "refused")
          ) {
            reporter.fails(call, `${what} was answered with ${answer.status} each time`);
          }
        }
      }
    },
  }),
);
