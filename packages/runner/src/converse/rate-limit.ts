/** Spaces calls out. */
export interface RateLimit {
  /** Takes the next free place and tells how many milliseconds from now it is. */
  takePlace(): number;
}

/** Monotonic time of the run. */
export interface Clock {
  /** Microseconds since the start of the run. */
  nowMicros(): number;
}

/**
 * Calls one after the other at the rate, never two at once: in no second there are more than the rate says. Places are given
 * out in the order of asking and are not given back. `Infinity` is no limit.
 */
export function createRateLimit(requestsPerSecond: number, clock: Clock): RateLimit {
  const spacingMicros = 1_000_000 / requestsPerSecond;
  let nextAtMicros = Number.NEGATIVE_INFINITY;
  return {
    takePlace() {
      const nowMicros = clock.nowMicros();
      if (spacingMicros === 0) {
        return 0;
      }
      const placeMicros = Math.max(nowMicros, nextAtMicros);
      nextAtMicros = placeMicros + spacingMicros;
      return (placeMicros - nowMicros) / 1000;
    },
  };
}
