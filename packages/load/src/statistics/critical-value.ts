/**
 * Returns the largest value for which the probability of at most this value is at most `tail`. Returns -1 if even 0 is
 * more likely than `tail`. `probabilities[n]` is the probability of `n`.
 */
export const criticalValue = (probabilities: Float64Array, tail: number): number => {
  let cumulative = 0;
  for (const [value, probability] of probabilities.entries()) {
    cumulative += probability;
    if (cumulative > tail) {
      return value - 1;
    }
  }
  return probabilities.length - 1;
};

/** Returns the probability of at most `value`. */
export const lowerTail = (probabilities: Float64Array, value: number): number => {
  let cumulative = 0;
  for (const probability of probabilities.subarray(0, value + 1)) {
    cumulative += probability;
  }
  return Math.min(1, cumulative);
};
