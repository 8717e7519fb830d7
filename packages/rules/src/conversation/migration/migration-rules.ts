import type { ConversationRule } from "../engine/conversation-rule.ts";
import { migrationAnswersAgree } from "./answers-agree.ts";
import { migrationIdBecomesName } from "./id-becomes-name.ts";
import { migrationQuestionsAgree } from "./questions-agree.ts";
import { migrationErrorBecomesState, migrationStateFollowsStatus } from "./state-follows-status.ts";

/** Rules about one conversation through both interfaces. */
export const migrationRules: readonly ConversationRule[] = [
  migrationIdBecomesName,
  migrationQuestionsAgree,
  migrationAnswersAgree,
  migrationStateFollowsStatus,
  migrationErrorBecomesState,
];
