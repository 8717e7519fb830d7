export interface DiscreteShape {
  /** Smallest and largest possible value. */
  readonly from: number;
  readonly to: number;
  /** The most likely value, or one beside it. */
  readonly mode: number;
  /** Probability of the value after `at`, as a multiple of that of `at`. */
  readonly ratio: (at: number) => number;
}

export interface Weights {
  /** Value of the first weight. */
  readonly from: number;
  /** In proportion to the probabilities; 1 at the mode. Values too unlikely for a double are left out. */
  readonly weights: Float64Array;
  readonly total: number;
}

const negligible = 1e-300;

/**
 * Weights of a distribution with one peak, built outwards from the peak by ratios: no factorial, no overflow, and an error that
 * does not grow with the counts. The work is that of the values which are not negligible.
 */
export const weightsFromMode = ({ from, to, mode, ratio }: DiscreteShape): Weights => {
  const below: number[] = [];
  for (let at = mode - 1, weight = 1; at >= from; at -= 1) {
    weight /= ratio(at);
    if (weight < negligible) {
      break;
    }
    below.push(weight);
  }
  const above: number[] = [];
  for (let at = mode, weight = 1; at < to; at += 1) {
    weight *= ratio(at);
    if (weight < negligible) {
      break;
    }
    above.push(weight);
  }
  // Not `of`: so many arguments would overflow the stack.
  const weights = Float64Array.from([...below.toReversed(), 1, ...above]);
  return { from: mode - below.length, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
};
