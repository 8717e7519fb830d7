import { ruleIds } from "@assay/contract";
import { accessRules } from "./access/access-rules.ts";
import type { ConversationRule } from "./engine/conversation-rule.ts";
import { formRules } from "./form/form-rules.ts";
import { historyRules } from "./history/history-rules.ts";
import { listRules } from "./list/list-rules.ts";
import { migrationRules } from "./migration/migration-rules.ts";
import { operationRules } from "./operations/operation-rules.ts";

/** Every rule about conversations, in the order of the catalogue; a test holds both together. */
export const conversationRules: readonly ConversationRule[] = [
  ...operationRules,
  ...formRules,
  ...historyRules,
  ...listRules,
  ...accessRules,
  ...migrationRules,
].toSorted((one, other) => ruleIds.indexOf(one.id) - ruleIds.indexOf(other.id));
