import { notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

/** Section 1: what the endpoint is for. */
export const purpose: readonly Sentence[] = [
  sentence(
    "search-stream#1.1-incremental-results",
    "A search delivers what it finds while it is still running, so that a caller need not wait for the end.",
    partlyJudgedBy(
      "how early the first results come, for which no time is promised",
      "stream/results-arrive-incrementally",
    ),
  ),
  sentence(
    "search-stream#1.2-exhaustive-searches",
    "Searches that look for everything, however much that is, are possible.",
    partlyJudgedBy("how large such a search may be, for which no volume is named", "stream/count-all-finds-everything"),
  ),
  sentence(
    "search-stream#1.3-used-by-the-web-interface",
    "Interactive searches of the web interface go through this endpoint.",
    notObservable("it tells about another client of the service, not about its answers"),
  ),
];
