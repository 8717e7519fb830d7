import { conversationRequirements } from "./conversation-requirements.ts";
import { searchStreamRequirements } from "./search-stream-requirements.ts";
import type { RequirementRows } from "./requirement-row.ts";

/** Every statement of both specifications as it is written down, the streaming search first. */
export const requirementRows = {
  ...searchStreamRequirements,
  ...conversationRequirements,
} as const satisfies RequirementRows;

/** Id of a sentence that exists. */
export type RequirementId = keyof typeof requirementRows;
