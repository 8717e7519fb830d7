/** Inputs for the number of virtual users. */
export interface Demand {
  /** Highest rate of arrivals. */
  readonly ratePerSecond: number;
  /** Number of arrivals. */
  readonly arrivals: number;
  /** Upper bound on the duration of one iteration, regardless of the target. */
  readonly maxIterationMs: number;
  readonly maxVus: number;
}

/** Fewer users save nothing, and one of several processes could get none. */
const minUsers = 6;

/** k6 may begin another arrival if it is late at the very end. */
const extraArrivals = 1;

/** Time for which the free users suffice while no iteration ends and no user is created. */
const reserveMs = 500;

/**
 * Returns the maximum number of virtual users: enough for all arrivals during the longest possible iteration, so that
 * even a slow target never leaves too few. At most `maxVus`.
 */
export const virtualUsers = ({ ratePerSecond, arrivals, maxIterationMs, maxVus }: Demand): number => {
  const busyUsers = Math.ceil((ratePerSecond * maxIterationMs) / 1000) + 1;
  return Math.min(maxVus, Math.max(minUsers, Math.min(arrivals + extraArrivals, busyUsers)));
};

/** Returns the number of users that an executor which creates them on demand keeps free: the arrivals of half a second. */
export const reservedUsers = ({ ratePerSecond }: Pick<Demand, "ratePerSecond">, vus: number): number =>
  Math.min(vus, Math.max(minUsers, Math.ceil((ratePerSecond * reserveMs) / 1000)));
