import { userIds } from "../../access.ts";
import { createTitle } from "../agent/write-answer.ts";
import { noWork, type QuestionOutcome, type QuestionRecord } from "../conversation-record.ts";

/** Maximum number of characters in a question. Longer ones end in the token-limit error. */
export const maxQuestionCharacters = 20_000;

const hourMs = 3_600_000;

/** Returns the next reset of a quota: the start of the next month in UTC. */
export const quotaResetMs = (nowMs: number): number => {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
};

type Failure = Pick<Extract<QuestionOutcome, { kind: "failed" }>, "code" | "message" | "retryAtMs">;

const findFailure = ({ text, userId }: QuestionRecord, nowMs: number): Failure | undefined => {
  if (userId === userIds.quota) {
    return {
      code: "ERROR_QUOTA_EXCEEDED",
      message: "The question quota of this user is used up.",
      retryAtMs: quotaResetMs(nowMs),
    };
  }
  if (userId === userIds.entitlement) {
    return {
      code: "ERROR_ENTITLEMENT_EXCEEDED",
      message: "This user may not ask more questions within this hour.",
      retryAtMs: (Math.floor(nowMs / hourMs) + 1) * hourMs,
    };
  }
  return text.length > maxQuestionCharacters
    ? {
        code: "ERROR_TOKEN_LIMIT_EXCEEDED",
        message: "The search could not be completed, please ask again with less text.",
      }
    : undefined;
};

/** Returns the outcome of a question that fails before any work. Source: conversation-api, section 8. */
export const findImmediateFailure = (question: QuestionRecord, nowMs: number): QuestionOutcome | undefined => {
  const failure = findFailure(question, nowMs);
  return failure === undefined
    ? undefined
    : { kind: "failed", title: createTitle(question.text), ...failure, stats: noWork };
};
