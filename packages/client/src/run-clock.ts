/** Monotonic time of one run. */
export interface RunClock {
  /** Microseconds since the clock was created. Never goes backwards, whatever the wall clock does. */
  nowMicros(): number;
}

/** A clock that starts now. All times of a run come from one clock. */
export function createRunClock(): RunClock {
  const startedAtMs = performance.now();
  return { nowMicros: () => Math.round((performance.now() - startedAtMs) * 1000) };
}
