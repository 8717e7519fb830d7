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

/**
 * How many virtual users there are from the start: as many as can be at work at the same time however slow the target is, which is
 * all that arrive while one iteration lasts as long as it can; never more than the limit. How slow it is nobody has to guess, and k6
 * never has to make further ones, which it does one at a time while it drops what arrives.
 */
export const virtualUsers = ({ ratePerSecond, arrivals, longestIterationMs, maxVus }: Demand): number => {
  const atWork = Math.ceil((ratePerSecond * longestIterationMs) / 1000) + 1;
  return Math.min(maxVus, Math.max(fewest, Math.min(arrivals, atWork)));
};
