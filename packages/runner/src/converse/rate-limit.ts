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
 * A token bucket: as many calls at once as one second allows, at least one, then one after the other at the rate. Places are
 * given out in the order of asking and are not given back. `Infinity` is no limit.
 */
export function createRateLimit(requestsPerSecond: number, clock: Clock): RateLimit {
  const spacingMicros = 1_000_000 / requestsPerSecond;
  const burstMicros = Math.max(0, Math.floor(requestsPerSecond) - 1) * spacingMicros;
  /** When the bucket will be full again. */
  let fullAtMicros = Number.NEGATIVE_INFINITY;
  return {
    takePlace() {
      const nowMicros = clock.nowMicros();
      if (spacingMicros === 0) {
        return 0;
      }
      const placeMicros = Math.max(nowMicros, fullAtMicros - burstMicros);
      fullAtMicros = Math.max(nowMicros, fullAtMicros) + spacingMicros;
      return (placeMicros - nowMicros) / 1000;
    },
  };
}
