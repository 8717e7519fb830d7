import { notObservable, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

/** Section 1: what the endpoint is for. */
export const purpose: readonly Sentence[] = [
  sentence(
    "search-stream#1.1-incremental-results",
    "A search delivers what it finds while it is still running, so that a caller need not wait for the end.",
    notObservable("no time is promised, and a stream that arrives in one piece breaks nothing; load runs measure it"),
  ),
  sentence(
    "search-stream#1.2-exhaustive-searches",
    "Searches that look for everything, however much that is, are possible.",
    notObservable("no volume is named that a target would have to reach"),
  ),
  sentence(
    "search-stream#1.3-used-by-the-web-interface",
    "Interactive searches of the web interface go through this endpoint.",
    notObservable("it tells about another client of the service, not about its answers"),
  ),
];
