import type { LoadPlan, LoadShape } from "@assay/results";

/** Mean rate of a shape as a share of its highest rate. */
const meanShare = { steady: 1, soak: 1, ramp: 0.55, spike: 1.6 / 3, breakpoint: 0.55 } as const satisfies Record<
  LoadShape,
  number
>;

/** Estimates the number of arrivals in the measured phase of a plan: searches, or conversations if the plan has no queries. */
export const estimateArrivals = ({ ratePerSecond, shape, durationMs }: LoadPlan): number =>
  (ratePerSecond * meanShare[shape] * durationMs) / 1000;
