/** Monotonic time of one run. */
export interface RunClock {
  /** Microseconds since the clock was made; never goes backwards, whatever the wall clock does. */
  nowMicros(): number;
}

/** A clock that starts now. Every time of a run comes from one clock. */
export function createRunClock(): RunClock {
  const startedAtMs = performance.now();
  return { nowMicros: () => Math.round((performance.now() - startedAtMs) * 1000) };
}
