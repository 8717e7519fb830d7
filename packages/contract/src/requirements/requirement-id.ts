import { conversationRequirements } from "./conversation-requirements.ts";
import { searchStreamRequirements } from "./search-stream-requirements.ts";
import type { RequirementRows } from "./requirement-row.ts";

/** Every requirement of both specifications as written, the streaming search first. */
export const requirementRows = {
  ...searchStreamRequirements,
  ...conversationRequirements,
} as const satisfies RequirementRows;

/** Id of a requirement. */
export type RequirementId = keyof typeof requirementRows;
