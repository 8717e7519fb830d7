import { legacyAccessRules } from "./legacy-access-rules.ts";
import { legacyAnswerRules } from "./legacy-answer-rules.ts";
import { legacyHistoryRules } from "./legacy-history-rules.ts";
import { legacyOperationRules } from "./legacy-operation-rules.ts";

/** Rules of the legacy interface of the conversation API. */
export const legacyRules = {
  ...legacyAnswerRules,
  ...legacyHistoryRules,
  ...legacyOperationRules,
  ...legacyAccessRules,
} as const;
