/** Ranks, from 1, of the two samples that bound a quantile. */
export interface RankInterval {
  readonly low: number;
  readonly high: number;
}

/** Standard deviations beyond which the binomial distribution is zero in double precision. */
const maxDeviations = 12;

const logFactorial = (n: number): number => {
  if (n < 32) {
    let sum = 0;
    for (let factor = 2; factor <= n; factor += 1) {
      sum += Math.log(factor);
    }
    return sum;
  }
  // Stirling's series; the next term is below 1e-9 here.
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
};

const logBinomial = (count: number, fraction: number, hits: number): number =>
  logFactorial(count) -
  logFactorial(hits) -
  logFactorial(count - hits) +
  hits * Math.log(fraction) +
  (count - hits) * Math.log1p(-fraction);

/**
 * Returns the order statistics of `count` independent samples that enclose the quantile `fraction` with at least
 * `confidence`. Each tail has at most half of the remaining probability. Exact, by the binomial distribution. Returns
 * undefined if there are too few samples.
 */
export const orderStatisticRanks = (count: number, fraction: number, confidence: number): RankInterval | undefined => {
  const tail = (1 - confidence) / 2;
  const spread = Math.ceil(maxDeviations * Math.sqrt(count * fraction * (1 - fraction))) + 1;
  const from = Math.max(0, Math.floor(count * fraction) - spread);
  const to = Math.min(count, Math.ceil(count * fraction) + spread);
  let cumulative = 0;
  let low = 0;
  for (let hits = from; hits <= to; hits += 1) {
    cumulative += Math.exp(logBinomial(count, fraction, hits));
    // P(sample of rank r > quantile) = P(at most r - 1 samples are below the quantile).
    if (cumulative <= tail) {
      low = hits + 1;
    }
    if (cumulative >= 1 - tail) {
      const high = hits + 1;
      return low >= 1 && high <= count ? { low, high } : undefined;
    }
  }
  return undefined;
};
