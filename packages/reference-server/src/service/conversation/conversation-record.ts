import type { ErrorCode } from "@assay/contract";

/** What an answer refers to. */
export interface Source {
  readonly type: string;
  /** Path below the base URL, with a slash at its beginning. */
  readonly link: string;
  readonly label: string;
}

/** What answering a question took. All are whole numbers from 0. */
export interface WorkStats {
  readonly timeMs: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly credits: number;
}

/** How the processing of a question ended. */
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
      /** When another try may succeed, milliseconds since 1970. */
      readonly retryAtMs?: number;
      /** What there was of an answer before it failed. */
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
  /** Absent while the question is being processed. */
  readonly outcome?: QuestionOutcome;
}

/** A conversation with its questions in the order in which they were asked. Times are milliseconds since 1970. */
export interface ConversationRecord {
  readonly id: number;
  readonly userId: number;
  /** A UUID; whoever knows it may read the conversation where sharing is on. */
  readonly readToken: string;
  readonly starred: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly questions: readonly QuestionRecord[];
}

/** Stats of a question that nobody has worked on. */
export const noWork: WorkStats = {
  timeMs: 0,
  toolCalls: 0,
  inputTokens: 0,
  promptTokens: 0,
  completionTokens: 0,
  credits: 0,
};
