export interface DiscreteShape {
  /** The smallest and the largest possible value. */
  readonly from: number;
  readonly to: number;
  /** The most likely value, or one next to it. */
  readonly mode: number;
  /** The probability of `at + 1` divided by the probability of `at`. */
  readonly ratio: (at: number) => number;
}

export interface Weights {
  /** The value that the first weight belongs to. */
  readonly from: number;
  /** Proportional to the probabilities, and 1 at the mode. Omits values too unlikely for a double. */
  readonly weights: Float64Array;
  readonly total: number;
}

const negligibleWeight = 1e-300;

/**
 * Returns the weights of a unimodal distribution. They are computed outward from the mode by ratios, which needs no
 * factorials and cannot overflow. The error does not grow with the counts. Negligible values take no time.
 */
export const weightsFromMode = ({ from, to, mode, ratio }: DiscreteShape): Weights => {
  const weightsBelow: number[] = [];
  for (let at = mode - 1, weight = 1; at >= from; at -= 1) {
    weight /= ratio(at);
    if (weight < negligibleWeight) {
      break;
    }
    weightsBelow.push(weight);
  }
  const weightsAbove: number[] = [];
  for (let at = mode, weight = 1; at < to; at += 1) {
    weight *= ratio(at);
    if (weight < negligibleWeight) {
      break;
    }
    weightsAbove.push(weight);
  }
  // Not `of`, since too many arguments would overflow the stack.
  const weights = Float64Array.from([...weightsBelow.toReversed(), 1, ...weightsAbove]);
  return { from: mode - weightsBelow.length, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
};
