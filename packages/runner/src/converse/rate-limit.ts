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

/** A twentieth more than the rate says: what goes out on time may follow what went out late, and a target counts what arrives. */
const slack = 1.05;

/** Time between two calls at a rate, in microseconds; 0 for no limit. */
export const spacingMicrosAt = (requestsPerSecond: number): number => (slack * 1_000_000) / requestsPerSecond;

/**
 * Calls one after the other at the rate, never two at once: in no second there are more than the rate says. Places are given
 * out in the order of asking and are not given back. `Infinity` is no limit.
 */
export function createRateLimit(requestsPerSecond: number, clock: Clock): RateLimit {
  const spacingMicros = spacingMicrosAt(requestsPerSecond);
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
