import type { SentenceRows } from "./sentence-row.ts";

/** Section 1: what the endpoint is for. */
export const purpose = {
  "search-stream#1.1-incremental-results": {
    text: "A search delivers what it finds while it is still running, so that a caller need not wait for the end.",
    partly: "how early the first results come, for which no time is promised",
  },
  "search-stream#1.2-exhaustive-searches": {
    text: "Searches that look for everything, however much that is, are possible.",
    partly: "how large such a search may be, for which no volume is named",
  },
  "search-stream#1.3-used-by-the-web-interface": {
    text: "Interactive searches of the web interface go through this endpoint.",
    notObservable: "it tells about another client of the service, not about its answers",
  },
} as const satisfies SentenceRows;
