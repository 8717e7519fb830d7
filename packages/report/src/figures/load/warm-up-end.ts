import type { LoadResult } from "@assay/results";

/** Returns the start of the measured phase, in milliseconds after the first planned request. 0 if there is no warm-up. */
export const findWarmUpEndMs = ({ plan, intervals }: LoadResult): number => {
  if (!intervals.some(({ phase }) => phase === "warmup")) {
    return 0;
  }
  const { blocks, ratePerSecond, warmupMs } = plan;
  if (blocks === undefined) {
    return warmupMs;
  }
  const arrivals = 2 * blocks.warmupPairs * (blocks.requestsPerBlock + blocks.gapRequests);
  return ratePerSecond > 0 ? (arrivals / ratePerSecond) * 1000 : 0;
};
