import type { RuleId } from "@assay/contract";
import type { Mutation } from "./mutation.ts";
import { currentAnswerMutations } from "./current-answers.ts";
import { legacyAnswerMutations } from "./legacy-answers.ts";
import { conversationAccessMutations } from "./conversation-access.ts";
import { conversationHistoryMutations } from "./conversation-history.ts";
import { framingMutations } from "./framing.ts";
import { listMutations } from "./lists.ts";
import { migrationMutations } from "./migration.ts";
import { openSetMutations } from "./observed.ts";
import { operationMutations } from "./operations.ts";
import { eventOrderMutations } from "./order.ts";
import { parameterMutations } from "./parameters.ts";
import { queryInterpretationMutations } from "./query-interpretation.ts";
import { eventDataMutations } from "./schema.ts";
import { streamAccessMutations } from "./stream-access.ts";

/** The mutations of every rule. The compiler reports a rule without an entry. */
const mutationsByRule: Readonly<Record<RuleId, readonly Mutation[]>> = {
  ...framingMutations,
  ...eventDataMutations,
  ...eventOrderMutations,
  ...openSetMutations,
  ...streamAccessMutations,
  ...parameterMutations,
  ...queryInterpretationMutations,
  ...legacyAnswerMutations,
  ...currentAnswerMutations,
  ...conversationHistoryMutations,
  ...operationMutations,
  ...conversationAccessMutations,
  ...listMutations,
  ...migrationMutations,
};

/** Returns the mutations of a rule. Each violates the rule's requirement in a different way. */
export const mutationsOf = (rule: RuleId): readonly Mutation[] => mutationsByRule[rule];
