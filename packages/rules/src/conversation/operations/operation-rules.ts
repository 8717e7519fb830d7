import type { ConversationRule } from "../engine/conversation-rule.ts";
import { cancelIsAccepted } from "./cancel-is-accepted.ts";
import { createIsAccepted } from "./create-is-accepted.ts";
import { deleteIsAccepted } from "./delete-is-accepted.ts";
import { followUpIdMustMatch } from "./follow-up-id-must-match.ts";
import { followUpIsAccepted } from "./follow-up-is-accepted.ts";
import { getReturnsTheConversation } from "./get-returns-the-conversation.ts";
import { successStatusIsListed } from "./success-status-is-listed.ts";

/** Rules about what the operations on one conversation answer. */
export const operationRules: readonly ConversationRule[] = [
  createIsAccepted("legacy"),
  getReturnsTheConversation("legacy"),
  successStatusIsListed,
  followUpIsAccepted("legacy"),
  followUpIdMustMatch,
  cancelIsAccepted("legacy"),
  deleteIsAccepted("legacy"),
  createIsAccepted("current"),
  getReturnsTheConversation("current"),
  followUpIsAccepted("current"),
  cancelIsAccepted("current"),
  deleteIsAccepted("current"),
];
