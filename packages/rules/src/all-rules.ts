import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import * as conversationAccess from "./conversation/access/index.ts";
import * as answers from "./conversation/answers/index.ts";
import type { ConversationRule } from "./conversation/engine/conversation-rule.ts";
import * as history from "./conversation/history/index.ts";
import * as lists from "./conversation/lists/index.ts";
import * as migration from "./conversation/migration/index.ts";
import * as operations from "./conversation/operations/index.ts";
import * as conversationSchema from "./conversation/schema/index.ts";
import type { Rule } from "./engine/rule.ts";
import * as access from "./stream/access.ts";
import * as framing from "./stream/framing.ts";
import * as observed from "./stream/observed.ts";
import * as order from "./stream/order/index.ts";
import * as parameters from "./stream/parameters/index.ts";
import * as schema from "./stream/schema/index.ts";

/** The exports of a chapter file: only rules. */
type Chapter<Checked> = Readonly<Record<string, Checked>>;

/** Rules about streams by chapter; the records of the same chapter are in a file of that name. */
export const streamChapters: Readonly<Record<string, Chapter<Rule>>> = {
  framing,
  schema,
  order,
  observed,
  access,
  parameters,
};

/** Rules about conversations by chapter. A definition for both interfaces results in one rule for each. */
export const conversationChapters: Readonly<Record<string, Chapter<ConversationRule | readonly ConversationRule[]>>> = {
  answers,
  history,
  operations,
  lists,
  access: conversationAccess,
  schema: conversationSchema,
  migration,
};

const inCatalogueOrder = <Checked extends { readonly id: RuleId }>(
  chapters: Readonly<Record<string, Chapter<Checked | readonly Checked[]>>>,
) =>
  Object.values(chapters)
    .flatMap((chapter) => Object.values(chapter).flat())
    .toSorted((one, other) => ruleIds.indexOf(one.id) - ruleIds.indexOf(other.id));

/** Every rule about streams, in the order of the catalogue. */
export const allRules: readonly Rule[] = inCatalogueOrder(streamChapters);

/** Every rule about conversations, in the order of the catalogue. */
export const conversationRules: readonly ConversationRule[] = inCatalogueOrder(conversationChapters);
