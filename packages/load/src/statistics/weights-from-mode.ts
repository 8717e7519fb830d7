export interface DiscreteShape {
  /** The smallest and the largest possible value. */
  readonly from: number;
  readonly to: number;
  /** The most likely value, or one next to it. */
  readonly mode: number;
  /** The probability of `at + 1` divided by that of `at`. */
  readonly ratio: (at: number) => number;
}

export interface Weights {
  /** The value that the first weight belongs to. */
  readonly from: number;
  /** Proportional to the probabilities, and 1 at the mode. Omits values too unlikely for a double. */
  readonly weights: Float64Array;
  readonly total: number;
}

const negligible = 1e-300;

/**
 * Returns the weights of a unimodal distribution. They are computed outward from the mode by ratios, which needs no
 * factorials and cannot overflow. The error does not grow with the counts. Negligible values take no time.
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
