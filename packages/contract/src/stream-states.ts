import type { EventName } from "./vocabulary.ts";

/** States of a stream. It is open while `searching` and `finishing`. Source: search-stream, section 3. */
export const streamStates = ["searching", "finishing", "closed"] as const;
export type StreamState = (typeof streamStates)[number];

/** Changes of a stream's state: a `progress` event with `done: false`, one with `done: true`, the event `done`. */
export const streamTriggers = ["progress", "final-progress", "done"] as const;
export type StreamTrigger = (typeof streamTriggers)[number];

/**
 * The next state for each state and trigger; a trigger that is not listed is not allowed. `done` also closes a stream
 * that is still searching: a stream with only alerts has no final `progress` event. Source: search-stream, section 3.
 */
export const nextStreamStates = {
  searching: { progress: "searching", "final-progress": "finishing", done: "closed" },
  finishing: { done: "closed" },
  closed: {},
} as const satisfies Record<StreamState, Partial<Record<StreamTrigger, StreamState>>>;

/**
 * Events that may arrive in each state, in any order. The specification names no state for `alert`, so both open
 * states allow it. It implies, but does not promise, that results arrive only while searching. Source: search-stream,
 * section 3.
 */
export const eventsWhile = {
  searching: ["matches", "filters", "progress", "alert", "done"],
  finishing: ["alert", "done"],
  closed: [],
} as const satisfies Record<StreamState, readonly EventName[]>;

/** Returns the state after `trigger`, or undefined if the table has no such transition. */
export const nextStreamState = (state: StreamState, trigger: StreamTrigger): StreamState | undefined => {
  const steps: Partial<Record<StreamTrigger, StreamState>> = nextStreamStates[state];
  return steps[trigger];
};
