import { neverFalls } from "./never-falls.ts";

/** Time goes on, never back; plausible, but not promised. Source: search-stream, section 2.2. */
export const durationNeverFalls = neverFalls("stream/duration-never-falls", "durationMs");
