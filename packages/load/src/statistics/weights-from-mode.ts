export interface DiscreteShape {
  /** Smallest and largest possible value. */
  readonly from: number;
  readonly to: number;
  /** The most likely value, or a neighbour. */
  readonly mode: number;
  /** Probability of the value after `at`, as a multiple of that of `at`. */
  readonly ratio: (at: number) => number;
}

export interface Weights {
  /** Value of the first weight. */
  readonly from: number;
  /** Proportional to the probabilities; 1 at the mode. Values too unlikely for a double are left out. */
  readonly weights: Float64Array;
  readonly total: number;
}

const negligible = 1e-300;

/**
 * Weights of a unimodal distribution, built outwards from the mode by ratios: no factorials, no overflow, and an error
 * that does not grow with the counts. Negligible values cost no work.
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
  // Not `of`, since too many arguments would overflow the stack.
  const weights = Float64Array.from([...below.toReversed(), 1, ...above]);
  return { from: mode - below.length, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
};
