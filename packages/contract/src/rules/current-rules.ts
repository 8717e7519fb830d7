import { currentAccessRules } from "./current-access-rules.ts";
import { currentAnswerRules } from "./current-answer-rules.ts";
import { currentHistoryRules } from "./current-history-rules.ts";
import { currentOperationRules } from "./current-operation-rules.ts";

/** Rules of the current interface of the conversation API. */
export const currentRules = {
  ...currentAnswerRules,
  ...currentHistoryRules,
  ...currentOperationRules,
  ...currentAccessRules,
} as const;
