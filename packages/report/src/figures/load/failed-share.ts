import type { LoadOutcome, LoadResult } from "@assay/results";

/** Outcomes that show nothing about the target: nothing was sent, the run ended first, or Assay stopped reading. */
const neutralOutcomes: ReadonlySet<string> = new Set<LoadOutcome>([
  "held-back",
  "not-begun",
  "over-budget",
  "canceled",
  "limit",
]);

/** The share of failed requests among those that were sent and not stopped. */
export interface FailedShare {
  readonly failed: number;
  readonly total: number;
  /** Undefined if nothing was sent. */
  readonly share?: number;
  /** Wilson's 95 % interval of the share. */
  readonly low?: number;
  readonly high?: number;
}

/** Quantile 0.975 of the standard normal distribution, for two-sided 95 %. */
const z = 1.959963984540054;

/** Returns Wilson's 95 % interval of a share. */
export const computeWilsonInterval = (hits: number, total: number): { readonly low: number; readonly high: number } => {
  const share = hits / total;
  const middle = (share + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const half = (z / (1 + z ** 2 / total)) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
};

/** Returns the share for streams and conversations of the measured phase. Single calls of conversations do not count. */
export const computeFailedShare = ({ outcomes }: LoadResult): FailedShare => {
  const counts = Object.entries(outcomes)
    .filter(([kind]) => kind !== "call")
    .flatMap(([, countsOfKind]) => Object.entries(countsOfKind));
  const sent = counts.filter(([outcome]) => !neutralOutcomes.has(outcome));
  const total = sent.reduce((sum, [, count]) => sum + count, 0);
  const ok = sent.reduce((sum, [outcome, count]) => sum + (outcome === "ok" ? count : 0), 0);
  const failed = total - ok;
  return { failed, total, ...(total > 0 ? { share: failed / total, ...computeWilsonInterval(failed, total) } : {}) };
};
