/** What virtual users follow from. */
export interface Demand {
  /** Highest rate of arrivals. */
  readonly ratePerSecond: number;
  /** How many arrivals there are in all. */
  readonly arrivals: number;
  /** Longest that an iteration can take, whatever the target does. */
  readonly longestIterationMs: number;
  readonly maxVus: number;
}

/** Fewer save nothing, and would leave one of several processes without any. */
const fewest = 6;

/** k6 may begin one more than there are at the very end, where it is late. */
const atTheEnd = 1;

/** How long arrivals find somebody free though no iteration ends any more, and nobody has been made meanwhile. */
const reserveMs = 500;

/**
 * How many virtual users there may be: as many as can be at work at the same time however slow the target is, which is
 * all that arrive while one iteration lasts as long as it can; never more than the limit. How slow it is nobody has to guess.
 */
export const virtualUsers = ({ ratePerSecond, arrivals, longestIterationMs, maxVus }: Demand): number => {
  const atWork = Math.ceil((ratePerSecond * longestIterationMs) / 1000) + 1;
  return Math.min(maxVus, Math.max(fewest, Math.min(arrivals + atTheEnd, atWork)));
};

/** How many of them are kept free beside those at work, where they are made as they are needed: all that arrive in half a second. */
export const reservedUsers = ({ ratePerSecond }: Pick<Demand, "ratePerSecond">, vus: number): number =>
  Math.min(vus, Math.max(fewest, Math.ceil((ratePerSecond * reserveMs) / 1000)));
