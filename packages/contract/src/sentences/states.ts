import type { SentenceRows } from "./sentence-row.ts";

/** Section 3: how a stream moves on. */
export const states = {
  "search-stream#3.1-only-its-progress": {
    text: "Nothing but its own progress makes up the state of a stream.",
    notObservable: "it says that something does not exist, and names nothing that could be asked for",
  },
  "search-stream#3.2-searching":
    "While the search runs, a progress says `done` false and the stream goes on searching.",
  "search-stream#3.3-any-interleaving": "While the search runs, matches, filters and progress come in whatever order.",
  "search-stream#3.4-final-progress":
    "When the search has finished, a progress says `done` true and the stream is about to end.",
  "search-stream#3.5-closed-by-done":
    "An open stream is closed by `done`, which is the last event and carries an object without members.",
} as const satisfies SentenceRows;
