/** Spaces calls. */
export interface RateLimit {
  /** Reserves the next slot and returns how many milliseconds from now it is. */
  reserveSlot(): number;
}

/** Monotonic time of the run. */
export interface Clock {
  /** Microseconds since the start of the run. */
  nowMicros(): number;
}

/** Calls are spaced 5 % more than the rate requires: a punctual call may follow a late one, and the target counts arrivals. */
const spacingFactor = 1.05;

/** Returns the time between two calls at this rate, in microseconds; 0 for no limit. */
export const computeSpacingMicros = (requestsPerSecond: number): number =>
  (spacingFactor * 1_000_000) / requestsPerSecond;

/**
 * Spaces calls evenly without bursts, so that no second has more calls than the rate. Slots are assigned in the order of the calls and
 * cannot be returned. `Infinity` is no limit.
 */
export function createRateLimit(requestsPerSecond: number, clock: Clock): RateLimit {
  const spacingMicros = computeSpacingMicros(requestsPerSecond);
  let nextAtMicros = Number.NEGATIVE_INFINITY;
  return {
    reserveSlot() {
      const nowMicros = clock.nowMicros();
      if (spacingMicros === 0) {
        return 0;
      }
      const slotMicros = Math.max(nowMicros, nextAtMicros);
      nextAtMicros = slotMicros + spacingMicros;
      return (slotMicros - nowMicros) / 1000;
    },
  };
}
