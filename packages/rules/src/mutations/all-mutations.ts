import type { RuleId } from "@assay/contract";
import type { Mutation } from "./mutation.ts";
import { currentAnswers } from "./current-answers.ts";
import { legacyAnswers } from "./legacy-answers.ts";
import { conversationAccess } from "./conversation-access.ts";
import { conversationHistory } from "./conversation-history.ts";
import { framing } from "./framing.ts";
import { lists } from "./lists.ts";
import { migration } from "./migration.ts";
import { observed } from "./observed.ts";
import { operations } from "./operations.ts";
import { order } from "./order.ts";
import { parameters } from "./parameters.ts";
import { queryReading } from "./query-reading.ts";
import { schema } from "./schema.ts";
import { streamAccess } from "./stream-access.ts";

/** The mutations of every rule. The type requires an entry for each rule. */
const mutationsByRule: Readonly<Record<RuleId, readonly Mutation[]>> = {
  ...framing,
  ...schema,
  ...order,
  ...observed,
  ...streamAccess,
  ...parameters,
  ...queryReading,
  ...legacyAnswers,
  ...currentAnswers,
  ...conversationHistory,
  ...operations,
  ...conversationAccess,
  ...lists,
  ...migration,
};

/** Returns the mutations of a rule. Each is one way in which a target can ignore its requirements. */
export const mutationsOf = (rule: RuleId): readonly Mutation[] => mutationsByRule[rule];
