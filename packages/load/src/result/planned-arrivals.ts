import type { LoadPlan, LoadShape } from "@assay/results";

/** Mean rate of a shape as a share of its highest. */
const meanShare = { steady: 1, soak: 1, ramp: 0.55, spike: 1.6 / 3, breakpoint: 0.55 } as const satisfies Record<
  LoadShape,
  number
>;

/** About how many arrivals the measured part of a plan has, of searches, or of conversations where nothing is searched. */
export const plannedArrivals = ({ ratePerSecond, shape, durationMs }: LoadPlan): number =>
  (ratePerSecond * meanShare[shape] * durationMs) / 1000;
