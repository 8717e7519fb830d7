/**
 * Finds the index at which constant values begin to grow, by the best least-squares fit of a constant section followed
 * by a straight rise. Returns 0 if they rise from the start. Undefined for fewer than three values, and if they do not rise.
 */
export const findGrowthStart = (values: readonly number[]): number | undefined => {
  if (values.length < 3) {
    return undefined;
  }
  const errors = values.slice(0, -1).map((_value, from) => hingeError(values, from));
  const bestStart = errors.indexOf(Math.min(...errors));
  return (values.at(-1) ?? 0) > (values[bestStart] ?? 0) ? bestStart : undefined;
};

/** Returns the sum of squared errors of a line that is constant up to `from` and straight after it. */
const hingeError = (values: readonly number[], from: number): number => {
  const count = values.length;
  const xs = values.map((_value, index) => Math.max(0, index - from));
  const meanX = xs.reduce((sum, x) => sum + x, 0) / count;
  const meanY = values.reduce((sum, y) => sum + y, 0) / count;
  let [xx, xy] = [0, 0];
  for (const [index, x] of xs.entries()) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * ((values[index] ?? 0) - meanY);
  }
  const slope = xx === 0 ? 0 : xy / xx;
  return xs.reduce((sum, x, index) => sum + ((values[index] ?? 0) - meanY - slope * (x - meanX)) ** 2, 0);
};
