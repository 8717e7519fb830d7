import { parentOfName } from "@assay/reading";
import { findWriteEffect } from "./write-effect.ts";
import type { WriteEffect } from "./write-effect.ts";
import { noOtherUser } from "./other-users-conversation-is-hidden.ts";
import { isInterfaceInUse, couldSucceed, callKey, workingCallKeys } from "./call-key.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { findCreatedConversations, findExistingConversation } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { hasFailed, isRefusedOrRedirected } from "../engine/refusal.ts";
import { belongsToMainUser } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";

const writingOperations: ReadonlySet<string> = new Set(["follow-up", "cancel", "delete"]);

/**
 * A second user cannot change or remove a conversation, or create one for the first user. The status of the response is
 * unspecified, so the later reads of the first user decide. Source: conversation-api, section 5.
 */
export const otherUserMayNotWrite = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/other-user-may-not-write`,
    check(evidence, reporter) {
      const workingKeys = workingCallKeys(evidence);
      const foreignWrites = evidence.calls.flatMap((call) => {
        const conversation = call.interface === interfaceName ? findWrittenConversation(evidence, call) : undefined;
        return conversation === undefined ? [] : [{ call, conversation }];
      });
      const creations = evidence.calls.filter((call) => isCreationForMainUser(evidence, call, interfaceName));
      if (foreignWrites.length === 0 && creations.length === 0 && isInterfaceInUse(evidence, interfaceName)) {
        reporter.needs(noOtherUser);
      }
      for (const { call, conversation } of foreignWrites) {
        const isAcceptedFromOwner = workingKeys.has(callKey(call)) && couldSucceed(evidence, call);
        judgeWrite(evidence, reporter, {
          call,
          isAcceptedFromOwner,
          effect: findWriteEffect(evidence, { call, conversation }),
        });
      }
      for (const call of creations) {
        judgeWrite(evidence, reporter, { call, isAcceptedFromOwner: true, effect: findCreationEffect(evidence, call) });
      }
    },
  }),
);

/** Returns the conversation of the main user that a second user tries to change, or undefined for other calls. */
function findWrittenConversation(
  evidence: ConversationEvidence,
  call: ConversationCall,
): CreatedConversation | undefined {
  const isWrite =
    writingOperations.has(call.operation) && call.record.credential === "other-token" && call.request.isWellFormed;
  const conversation = isWrite ? findExistingConversation(evidence, call) : undefined;
  return conversation !== undefined && belongsToMainUser(conversation.create.record.credential)
    ? conversation
    : undefined;
}

/** Reports whether a second user tries to create a conversation whose parent is the main user. */
function isCreationForMainUser(
  evidence: ConversationEvidence,
  call: ConversationCall,
  interfaceName: ConversationInterface,
): boolean {
  const parent = call.request.parameters.get("parent");
  return (
    parent !== undefined &&
    call.interface === interfaceName &&
    call.operation === "create" &&
    call.record.credential === "other-token" &&
    findCreatedConversations(evidence).some(
      ({ create }) =>
        belongsToMainUser(create.record.credential) && parentOfName(conversationView(create)?.name ?? "") === parent,
    )
  );
}

/** Returns whether the main user can read a conversation that a second user created. */
function findCreationEffect(evidence: ConversationEvidence, call: ConversationCall): WriteEffect {
  const id = conversationView(call)?.id;
  const reads = evidence.calls.filter(
    (other) =>
      id !== undefined &&
      other.operation === "get" &&
      other.interface === call.interface &&
      other.request.conversationId === id &&
      belongsToMainUser(other.record.credential) &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );
  if (reads.some((read) => conversationView(read)?.id === id)) {
    return { description: "the user named in `parent` has the conversation" };
  }
  return reads.some(({ response }) => response.kind === "refused") ? "none" : "unknown";
}

interface JudgedWrite {
  readonly call: ConversationCall;
  /** Whether the same request by the owner is accepted. */
  readonly isAcceptedFromOwner: boolean;
  readonly effect: WriteEffect;
}

function judgeWrite(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, isAcceptedFromOwner, effect }: JudgedWrite,
): void {
  const { response, operation } = call;
  if (typeof effect === "object" && "status" in response) {
    const message = `${operation} by a second user returned ${response.status}, and ${effect.description}`;
    reporter.fails(call, message, operation);
  } else if (response.kind === "success") {
    const message = `${operation} by a second user returned ${response.status}`;
    reporter.notes(call, `${call.interface}/write-by-other-user`, message);
    if (effect === "none") {
      reporter.passes(call, operation);
    } else {
      reporter.needs(`a later read by the owner of the conversation that shows what the ${operation} did`);
    }
  } else if (hasFailed(call) || response.kind === "not-api") {
    reporter.lacksResponse(call, operation);
  } else if (isRefusedOrRedirected(call) && !isTokenAccepted(evidence, call)) {
    reporter.needs(acceptedTokenPrerequisite);
  } else if (isAcceptedFromOwner) {
    reporter.passes(call, operation);
  }
}

/** Reports whether the token of the second user was ever accepted. A wrong token is always refused. */
const isTokenAccepted = (
  { calls }: ConversationEvidence,
  { interface: interfaceName, record }: ConversationCall,
): boolean =>
  calls.some(
    (other) =>
      other.interface === interfaceName &&
      other.record.credential === record.credential &&
      other.response.kind === "success",
  );
