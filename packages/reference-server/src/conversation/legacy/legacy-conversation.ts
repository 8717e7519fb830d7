import { defined } from "@assay/contract";
import type { ErrorCode } from "@assay/contract";
import type { Vocabulary } from "../api/timestamp.ts";
import { timestamp } from "../api/timestamp.ts";
import { type ConversationRecord, noWork, type QuestionRecord, type WorkStats } from "../conversation-record.ts";
import type { QuotaUsage } from "../conversation-service.ts";
import type { PayloadObject } from "../../payload.ts";

/** What the form of an object depends on. */
export interface LegacyForm {
  readonly vocabulary: Vocabulary;
  /** Base URL of the server, without a slash at the end. */
  readonly origin: string;
}

const statsJson = ({
  completionTokens,
  credits,
  inputTokens,
  promptTokens,
  timeMs,
  toolCalls,
}: WorkStats): PayloadObject => ({
  time_millis: timeMs,
  tool_calls: toolCalls,
  total_input_tokens: inputTokens + promptTokens,
  cached_tokens: 0,
  cache_creation_input_tokens: inputTokens,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: inputTokens + promptTokens + completionTokens,
  credits,
});

const errorKinds: Readonly<Record<ErrorCode, string>> = {
  ERROR_INTERNAL: "InternalError",
  ERROR_QUOTA_EXCEEDED: "RateLimitExceeded",
  ERROR_ENTITLEMENT_EXCEEDED: "RateLimitExceeded",
  ERROR_TOKEN_LIMIT_EXCEEDED: "TokenLimitExceeded",
};

const errorTitles: Readonly<Record<ErrorCode, string>> = {
  ERROR_INTERNAL: "Internal error",
  ERROR_QUOTA_EXCEEDED: "Quota exceeded",
  ERROR_ENTITLEMENT_EXCEEDED: "Entitlement exceeded",
  ERROR_TOKEN_LIMIT_EXCEEDED: "Token limit exceeded",
};

const processingJson = ({ createdAtMs, text }: QuestionRecord): PayloadObject => ({
  status: "processing",
  turns: [{ reasoning: text, timestamp: Math.floor(createdAtMs / 1000), role: "user" }],
  stats: statsJson(noWork),
  suggested_followups: null,
});

const outcomeJson = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => {
  const { outcome } = question;
  switch (outcome?.kind) {
    case undefined:
      return processingJson(question);
    case "completed":
      return {
        status: "completed",
        title: outcome.title,
        answer: outcome.answer,
        sources: outcome.sources,
        stats: statsJson(outcome.stats),
        suggested_followups: outcome.followups,
      };
    case "failed":
      return {
        status: "completed",
        title: outcome.title,
        ...defined({ answer: outcome.answer }),
        stats: statsJson(outcome.stats),
        suggested_followups: null,
        error: {
          title: errorTitles[outcome.code],
          kind: errorKinds[outcome.code],
          message: outcome.message,
          details: outcome.retryAtMs === undefined ? "" : `Try again at ${timestamp(outcome.retryAtMs, vocabulary)}.`,
        },
      };
    case "canceled":
      return {
        status: "completed",
        stats: statsJson(noWork),
        suggested_followups: null,
        error: { title: "Cancelled", kind: "Cancelled", message: "The question was cancelled.", details: "" },
      };
  }
};

/** A question as the legacy interface writes it. Source: conversation-api, sections 2.2, 2.3, 3.1 and 7. */
export const legacyQuestion = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => ({
  id: question.id,
  conversation_id: question.conversationId,
  question: question.text,
  created_at: timestamp(question.createdAtMs, vocabulary),
  updated_at: timestamp(question.updatedAtMs, vocabulary),
  ...outcomeJson(question, vocabulary),
});

/** A conversation as the legacy interface writes it. Source: conversation-api, section 2.1. */
export const legacyConversation = (
  conversation: ConversationRecord,
  { origin, vocabulary }: LegacyForm,
): PayloadObject => ({
  id: conversation.id,
  questions: conversation.questions.map((question) => legacyQuestion(question, vocabulary)),
  created_at: timestamp(conversation.createdAtMs, vocabulary),
  updated_at: timestamp(conversation.updatedAtMs, vocabulary),
  user_id: conversation.userId,
  read_token: conversation.readToken,
  share_url: `${origin}/deepsearch/${conversation.readToken}`,
});

/** What a retrieved conversation has besides: who looks at it, and what they may still ask; -1 means no limit. */
export const retrievalMembers = (
  conversation: ConversationRecord,
  {
    usage,
    viewerId,
    vocabulary,
  }: { readonly usage: QuotaUsage; readonly viewerId: number; readonly vocabulary: Vocabulary },
): PayloadObject => ({
  viewer: { is_owner: conversation.userId === viewerId },
  quota_usage: { total_quota: usage.used, quota_limit: -1, reset_time: timestamp(usage.resetAtMs, vocabulary) },
});
