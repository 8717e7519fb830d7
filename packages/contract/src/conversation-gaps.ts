import { currentGaps } from "./current-gaps.ts";
import { observed } from "./gap-row.ts";
import type { GapRow } from "./gap-row.ts";
import { legacyGaps } from "./legacy-gaps.ts";

const migrationGaps = {
  "migration/numbers-in-names": {
    origin: "silent",
    unknown: "whether the name of a conversation ends in the number that the legacy interface has for it",
    accepted: ["the number is the last part of the name", "a last part of its own, also one that tells nothing"],
    recorded: observed("for conversations that are not found under the id of the other interface"),
    sentences: ["conversation-api#2.4.1-names-replace-ids", "conversation-api#9.9-ids-become-names"],
  },
  "migration/canceled-question": {
    origin: "silent",
    unknown: "which status the legacy interface shows of what the current one shows as canceled",
    accepted: ["completed, with an error or without", "any other status"],
    recorded: observed("with both values"),
    sentences: ["conversation-api#9.11-status-becomes-state", "conversation-api#3.1.9-after-cancellation"],
  },
} as const satisfies Readonly<Record<string, GapRow>>;

/** What the document of the conversation API leaves open: of its legacy interface, its current one, and both together. */
export const conversationGaps = { ...legacyGaps, ...currentGaps, ...migrationGaps } as const;
