import type { TimeBounds } from "../block-figures.ts";

/** Times that are known exactly. `ms` is sorted in place. */
export const exactTimes = (ms: Float64Array): TimeBounds => {
  const sorted = ms.sort();
  return { earliest: sorted, latest: sorted };
};
