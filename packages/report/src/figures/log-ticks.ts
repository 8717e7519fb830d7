const selectMantissas = (decades: number): readonly number[] => {
  if (decades > 4) {
    return [1];
  }
  return decades > 0.7 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
};

/** Returns round values for a logarithmic axis between two positive bounds, ascending. Fewer decades have more values each. */
export const listLogTicks = (low: number, high: number): readonly number[] => {
  const steps = selectMantissas(Math.log10(high / low));
  const firstExponent = Math.floor(Math.log10(low));
  const decades = Math.max(0, Math.ceil(Math.log10(high)) - firstExponent) + 1;
  return Array.from({ length: decades }, (_, index) => steps.map((step) => step * 10 ** (firstExponent + index)))
    .flat()
    .filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
};

/** Returns the bounds of a logarithmic axis around positive values, with some margin, and at least a factor of `minFactor` apart. */
export const computeLogDomain = (values: readonly number[], minFactor: number): readonly [number, number] => {
  const positive = values.filter((value) => Number.isFinite(value) && value > 0);
  const low = positive.reduce((min, value) => Math.min(min, value), positive[0] ?? 1);
  const high = positive.reduce((max, value) => Math.max(max, value), positive[0] ?? 1);
  const missingFactor = Math.max(1, minFactor / (high / low)) ** 0.5;
  return [(low / missingFactor) * 0.96, high * missingFactor * 1.04];
};
