import { containsConversation, containsQuestionText } from "./contains-conversation.ts";
import { isInterfaceInUse, callKey, workingCallKeys } from "./call-key.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import {
  existedDuring,
  findCreatedConversations,
  findExistingConversation,
  spanOf,
} from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isTokenSufficientAlone, hasFailed, isRefusedOrRedirected } from "../engine/refusal.ts";
import { belongsToMainUser } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { readListPage } from "../lists/list-page.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";

/** The missing prerequisite if the second user sent no request. */
export const noOtherUser = "a read by a second user (set ASSAY_OTHER_TOKEN)";

/**
 * Reports whether the target knows the second user. A wrong token is always refused, so if this request is refused,
 * another success must show that the token is valid.
 */
export const isSecondUserKnown = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  !isRefusedOrRedirected(call) || isTokenSufficientAlone(evidence, call);

/**
 * The id of a conversation does not give other users access. Responses of the current interface may repeat the name, so
 * only the text of a question is evidence there. Source: conversation-api, section 5.
 */
export const otherUsersConversationIsHidden = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/other-users-conversation-is-hidden`,
    check(evidence, reporter) {
      const readsByOther = evidence.calls.filter(
        (call) =>
          call.interface === interfaceName && call.operation === "get" && call.record.credential === "other-token",
      );
      const foreignReads = readsByOther.flatMap((call) => {
        const conversation = findExistingConversation(evidence, call);
        return conversation !== undefined && belongsToMainUser(conversation.create.record.credential)
          ? [{ call, conversation }]
          : [];
      });
      const foreignLists = evidence.calls.filter((call) => call.interface === interfaceName && namesOtherParent(call));
      foreignLists.forEach((call) => judgeList(evidence, reporter, call));
      if (foreignReads.length === 0 && isInterfaceInUse(evidence, interfaceName)) {
        reporter.needs(noOtherUser);
      }
      foreignReads.forEach((read) => judgeRead(evidence, reporter, read));
    },
  }),
);

/** Reports whether a second user lists the conversations of a parent that is not the literal for the authenticated user. */
const namesOtherParent = ({ operation, record, request }: ConversationCall): boolean =>
  operation === "list" &&
  record.credential === "other-token" &&
  (request.parameters.get("parent") ?? "users/~self") !== "users/~self";

/** A list of another parent may be refused, empty, or the list of the authenticated user. */
function judgeList(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const foreignConversations = findCreatedConversations(evidence).filter(
    (conversation) =>
      conversation.interface === call.interface &&
      belongsToMainUser(conversation.create.record.credential) &&
      existedDuring(conversation, spanOf(call)),
  );
  const exposed = foreignConversations.find((conversation) => containsConversation(call, conversation));
  if (exposed !== undefined) {
    reporter.fails(call, `a second user got conversation ${exposed.id} in the list of another parent`);
  } else if (
    foreignConversations.length > 0 &&
    (readListPage(call) !== undefined || (call.response.kind === "refused" && isSecondUserKnown(evidence, call)))
  ) {
    reporter.passes(call);
  }
}

interface ForeignRead {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

function judgeRead(evidence: ConversationEvidence, reporter: CallReporter, { call, conversation }: ForeignRead): void {
  const isExposed =
    call.interface === "legacy" ? containsConversation(call, conversation) : containsQuestionText(call, conversation);
  if (isExposed) {
    reporter.fails(call, `a second user got conversation ${conversation.id} by its id`);
  } else if (hasFailed(call) || call.response.kind === "not-api") {
    reporter.lacksResponse(call);
  } else if (!isSecondUserKnown(evidence, call)) {
    reporter.needs(acceptedTokenPrerequisite);
  } else if (workingCallKeys(evidence).has(callKey(call))) {
    reporter.passes(call);
  }
}
