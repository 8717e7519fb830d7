import type { ErrorCode } from "@assay/contract";

/** A source of an answer. */
export interface Source {
  readonly type: string;
  /** Path with a leading slash. */
  readonly link: string;
  readonly label: string;
}

/** Effort of answering a question, in whole numbers, 0 or more. */
export interface WorkStats {
  readonly timeMs: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly credits: number;
}

/** The result of processing a question. */
export type QuestionOutcome =
  | {
      readonly kind: "completed";
      readonly title: string;
      /** Markdown. */
      readonly answer: string;
      readonly sources: readonly Source[];
      readonly followups: readonly string[];
      readonly stats: WorkStats;
    }
  | {
      readonly kind: "failed";
      readonly title: string;
      readonly code: ErrorCode;
      readonly message: string;
      /** Time from which a retry may succeed, in milliseconds since 1970. */
      readonly retryAtMs?: number;
      /** Partial answer before the failure. */
      readonly answer?: string;
      readonly stats: WorkStats;
    }
  | { readonly kind: "canceled" };

/** A question of a conversation. Times are milliseconds since 1970. */
export interface QuestionRecord {
  readonly id: number;
  readonly conversationId: number;
  readonly userId: number;
  readonly text: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Absent while the question is in progress. */
  readonly outcome?: QuestionOutcome;
}

/** A conversation with its questions, oldest first. Times are milliseconds since 1970. */
export interface ConversationRecord {
  readonly id: number;
  readonly userId: number;
  /** A UUID. If sharing is on, any user who knows it may read the conversation. */
  readonly readToken: string;
  readonly starred: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly questions: readonly QuestionRecord[];
}

/** The stats of a question before any work. */
export const noWork: WorkStats = {
  timeMs: 0,
  toolCalls: 0,
  inputTokens: 0,
  promptTokens: 0,
  completionTokens: 0,
  credits: 0,
};
