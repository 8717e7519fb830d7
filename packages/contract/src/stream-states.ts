import type { EventName } from "./vocabulary.ts";

/** States of a stream. It is open while `searching` and `finishing`. Source: search-stream, section 3. */
export const streamStates = ["searching", "finishing", "closed"] as const;
export type StreamState = (typeof streamStates)[number];

/** What moves a stream on: a progress with `done` false, one with `done` true, the event `done`. */
export const streamTriggers = ["progress", "final-progress", "done"] as const;
export type StreamTrigger = (typeof streamTriggers)[number];

/**
 * Where each trigger leads from each state; a trigger that is not listed has no place there. `done` closes a stream that
 * is still searching as well: a stream of alerts alone has no final progress. Source: search-stream, section 3.
 */
export const nextStreamStates = {
  searching: { progress: "searching", "final-progress": "finishing", done: "closed" },
  finishing: { done: "closed" },
  closed: {},
} as const satisfies Record<StreamState, Partial<Record<StreamTrigger, StreamState>>>;

/**
 * Events that may come in each state, in any interleaving. For `alert` the document names no state, so it is at home in
 * both open ones; that results come only while searching is implied, not promised. Source: search-stream, section 3.
 */
export const eventsWhile = {
  searching: ["matches", "filters", "progress", "alert", "done"],
  finishing: ["alert", "done"],
  closed: [],
} as const satisfies Record<StreamState, readonly EventName[]>;

/** The state after `trigger`, or undefined when the table has no such step. */
export const nextStreamState = (state: StreamState, trigger: StreamTrigger): StreamState | undefined => {
  const steps: Partial<Record<StreamTrigger, StreamState>> = nextStreamStates[state];
  return steps[trigger];
};
