import { currentDialect } from "./current-dialect.ts";
import type { ConversationInterface, Dialect } from "./dialect.ts";
import { legacyDialect } from "./legacy-dialect.ts";

export const dialects: Readonly<Record<ConversationInterface, Dialect>> = {
  legacy: legacyDialect,
  current: currentDialect,
};
