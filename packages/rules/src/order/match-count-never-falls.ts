import { neverFalls } from "./never-falls.ts";

/** Counting goes on, never back; plausible, but not promised. Source: search-stream, section 2.2. */
export const matchCountNeverFalls = neverFalls("stream/match-count-never-falls", "matchCount");
