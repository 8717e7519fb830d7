import { conversationSentences } from "./conversation-sentences.ts";
import { searchStreamSentences } from "./search-stream-sentences.ts";
import type { Sentence } from "./sentence.ts";

/** Every statement of both documents, the streaming search first. */
export const allSentences: readonly Sentence[] = [...searchStreamSentences, ...conversationSentences];
