/**
 * The largest value whose lower tail, including the value, is at most `tail`; -1 if 0 already exceeds it.
 * `probabilities` are those of 0, 1, 2 and so on.
 */
export const criticalValue = (probabilities: Float64Array, tail: number): number => {
  let atMost = 0;
  for (const [value, probability] of probabilities.entries()) {
    atMost += probability;
    if (atMost > tail) {
      return value - 1;
    }
  }
  return probabilities.length - 1;
};

/** Probability of a value of at most `value`. */
export const lowerTail = (probabilities: Float64Array, value: number): number => {
  let atMost = 0;
  for (const probability of probabilities.subarray(0, value + 1)) {
    atMost += probability;
  }
  return Math.min(1, atMost);
};
