/** The monotonic clock of one run. */
export interface RunClock {
  /** Returns microseconds since the clock was created. It never goes backwards, even if the wall clock does. */
  nowMicros(): number;
}

/** Creates a clock that starts now. All times of a run must use the same clock. */
export function createRunClock(): RunClock {
  const startedAtMs = performance.now();
  return { nowMicros: () => Math.round((performance.now() - startedAtMs) * 1000) };
}
