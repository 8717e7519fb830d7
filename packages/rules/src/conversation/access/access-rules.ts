import type { ConversationRule } from "../engine/conversation-rule.ts";
import { accessTokenIsAccepted } from "./access-token-is-accepted.ts";
import {
  currentInvalidTokenIsRefused,
  currentMissingTokenIsRefused,
  legacyInvalidTokenIsRefused,
  legacyMissingTokenIsRefused,
  otherSchemeIsRefused,
  readScopeMayNotWrite,
  scopeIsRequired,
} from "./bad-credentials-are-refused.ts";
import { badRequestIsRefused } from "./bad-request-is-refused.ts";
import { needsNoXRequestedWith, xRequestedWithHasItsShape, xRequestedWithIsRequired } from "./client-header.ts";
import { otherUsersConversationIsHidden } from "./other-users-conversation-is-hidden.ts";
import { refusalHasAMessage } from "./refusal-has-a-message.ts";
import { sharedConversationIsReadable, unsharedConversationIsHidden } from "./sharing.ts";
import { anyAccessTokenIsAccepted, readScopeMayRead } from "./token-may-read.ts";
import { unknownIdIsNotFound, unknownNameIsRefused } from "./unknown-conversation.ts";

/** Rules about who may do what, and about how requests are refused. */
export const accessRules: readonly ConversationRule[] = [
  accessTokenIsAccepted("legacy"),
  anyAccessTokenIsAccepted,
  legacyMissingTokenIsRefused,
  legacyInvalidTokenIsRefused,
  otherSchemeIsRefused,
  xRequestedWithIsRequired,
  xRequestedWithHasItsShape,
  sharedConversationIsReadable,
  unsharedConversationIsHidden,
  otherUsersConversationIsHidden("legacy"),
  unknownIdIsNotFound,
  badRequestIsRefused("legacy"),
  refusalHasAMessage,
  accessTokenIsAccepted("current"),
  readScopeMayRead,
  readScopeMayNotWrite,
  scopeIsRequired,
  currentMissingTokenIsRefused,
  currentInvalidTokenIsRefused,
  needsNoXRequestedWith,
  otherUsersConversationIsHidden("current"),
  badRequestIsRefused("current"),
  unknownNameIsRefused,
];
