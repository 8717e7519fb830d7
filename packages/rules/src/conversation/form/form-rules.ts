import type { ConversationRule } from "../engine/conversation-rule.ts";
import { currentAnswerIsUnchanged } from "./current-answer-is-unchanged.ts";
import { currentConversationFitsSchema } from "./current-conversation-fits-schema.ts";
import { currentCompletedHasAnAnswer, currentNoAnswerWhileProcessing } from "./current-field-gates.ts";
import { currentNameIsAResourceName } from "./current-name-is-a-resource-name.ts";
import { currentCreatedInProgress } from "./current-created-in-progress.ts";
import {
  currentErrorCodeIsListed,
  currentErrorHasItsMembers,
  currentRetryTimeIsATimestamp,
  currentStateHasOneKey,
  currentStateIsListed,
} from "./current-state.ts";
import { legacyConversationFitsSchema } from "./legacy-conversation-fits-schema.ts";
import { legacyCreatedInProgress } from "./legacy-created-in-progress.ts";
import { legacyErrorKindIsKnown } from "./legacy-error-kind-is-known.ts";
import { legacyFailedQuestionIsCompleted } from "./legacy-failed-question-is-completed.ts";
import {
  legacyCompletedQuestionIsFilled,
  legacyFollowupsNullWhileProcessing,
  legacyNoAnswerWhileProcessing,
  legacyStatsAreZeroWhileProcessing,
} from "./legacy-field-gates.ts";
import { legacyNewQuestionHasTurns } from "./legacy-new-question-has-turns.ts";
import {
  legacyErrorFitsSchema,
  legacySourceFitsSchema,
  legacyStatsAreCounts,
  legacyTurnFitsSchema,
} from "./legacy-parts-fit-schema.ts";
import { legacyQuestionBelongsToConversation } from "./legacy-question-belongs-to-conversation.ts";
import { legacyQuestionFitsSchema } from "./legacy-question-fits-schema.ts";
import { legacyOwnerIsViewer, legacyQuotaUsageOnRetrieval, legacyViewerOnRetrieval } from "./legacy-retrieval.ts";
import { legacyShareUrlHoldsReadToken } from "./legacy-share-url-holds-read-token.ts";
import { legacyStatusIsListed } from "./legacy-status-is-listed.ts";
import { legacyTimestampsAreUtc } from "./legacy-timestamps-are-utc.ts";
import { currentResponsesFitOpenapi, legacyResponsesFitOpenapi } from "./responses-fit-openapi.ts";

/** Rules about what a single answer shows, of both interfaces. */
export const formRules: readonly ConversationRule[] = [
  legacyConversationFitsSchema,
  legacyQuestionFitsSchema,
  legacySourceFitsSchema,
  legacyTurnFitsSchema,
  legacyStatsAreCounts,
  legacyErrorFitsSchema,
  legacyErrorKindIsKnown,
  legacyTimestampsAreUtc,
  legacyViewerOnRetrieval,
  legacyOwnerIsViewer,
  legacyQuotaUsageOnRetrieval,
  legacyShareUrlHoldsReadToken,
  legacyStatusIsListed,
  legacyCreatedInProgress,
  legacyNewQuestionHasTurns,
  legacyStatsAreZeroWhileProcessing,
  legacyNoAnswerWhileProcessing,
  legacyFollowupsNullWhileProcessing,
  legacyCompletedQuestionIsFilled,
  legacyFailedQuestionIsCompleted,
  legacyQuestionBelongsToConversation,
  legacyResponsesFitOpenapi,
  currentConversationFitsSchema,
  currentNameIsAResourceName,
  currentStateHasOneKey,
  currentStateIsListed,
  currentErrorHasItsMembers,
  currentErrorCodeIsListed,
  currentRetryTimeIsATimestamp,
  currentAnswerIsUnchanged,
  currentCreatedInProgress,
  currentNoAnswerWhileProcessing,
  currentCompletedHasAnAnswer,
  currentResponsesFitOpenapi,
];
