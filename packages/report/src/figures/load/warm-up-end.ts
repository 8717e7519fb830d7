import type { LoadResult } from "@assay/results";

/** Start of the measured phase, in milliseconds after the first planned sending; 0 without a warm-up. */
export const warmUpEndMs = ({ plan, intervals }: LoadResult): number => {
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
