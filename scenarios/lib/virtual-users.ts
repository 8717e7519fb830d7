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

/** k6 may begin one more arrival when it is late at the very end. */
const extraAtEnd = 1;

/** Time for which free users suffice while no iteration ends and no user is made. */
const reserveMs = 500;

/**
 * Maximum number of virtual users: all arrivals of the longest possible iteration, so that a slow target never lacks
 * users. At most `maxVus`.
 */
export const virtualUsers = ({ ratePerSecond, arrivals, maxIterationMs, maxVus }: Demand): number => {
  const busyUsers = Math.ceil((ratePerSecond * maxIterationMs) / 1000) + 1;
  return Math.min(maxVus, Math.max(minUsers, Math.min(arrivals + extraAtEnd, busyUsers)));
};

/** Number of users kept free by an executor that makes them as needed: the arrivals of half a second. */
export const reservedUsers = ({ ratePerSecond }: Pick<Demand, "ratePerSecond">, vus: number): number =>
  Math.min(vus, Math.max(minUsers, Math.ceil((ratePerSecond * reserveMs) / 1000)));
