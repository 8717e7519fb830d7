import { conversationAuthentication } from "./conversation-authentication.ts";
import { conversationErrors } from "./conversation-errors.ts";
import { conversationLimitsVersions } from "./conversation-limits-versions.ts";
import { conversationPurpose } from "./conversation-purpose.ts";
import { conversationStates } from "./conversation-states.ts";
import { currentEndpoints } from "./current-endpoints.ts";
import { currentResources } from "./current-resources.ts";
import { legacyEndpoints } from "./legacy-endpoints.ts";
import { legacyResources } from "./legacy-resources.ts";
import type { SentenceRows } from "./sentence-row.ts";

/**
 * Every statement of the document of the conversation API, in its order, each with what is done about it. Counted as in
 * the streaming document: a table row by row, and apart what is judged apart.
 */
export const conversationSentences = {
  ...conversationPurpose,
  ...legacyResources,
  ...currentResources,
  ...conversationStates,
  ...legacyEndpoints,
  ...currentEndpoints,
  ...conversationAuthentication,
  ...conversationErrors,
  ...conversationLimitsVersions,
} as const satisfies SentenceRows;
