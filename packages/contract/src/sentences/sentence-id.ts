import { conversationSentences } from "./conversation-sentences.ts";
import { searchStreamSentences } from "./search-stream-sentences.ts";
import type { SentenceRows } from "./sentence-row.ts";

/** Every statement of both documents as it is written down, the streaming search first. */
export const sentenceRows = { ...searchStreamSentences, ...conversationSentences } as const satisfies SentenceRows;

/** Id of a sentence that exists. */
export type SentenceId = keyof typeof sentenceRows;
