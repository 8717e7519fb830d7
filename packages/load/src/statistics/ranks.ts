/** Ranks start at 1. Equal values share the mean of their ranks. */
export interface Ranks {
  readonly ranks: Float64Array;
  /** The sum of t^3 - t over groups of t equal values. 0 if all differ. Reduces the variance of rank sums. */
  readonly tieTerm: number;
}

/** Returns the rank of each value, in the order of `values`. */
export const rankValues = (values: readonly number[]): Ranks => {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  let tieTerm = 0;
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) {
      to += 1;
    }
    for (const index of order.slice(from, to)) {
      ranks[index] = (from + 1 + to) / 2;
    }
    tieTerm += (to - from) ** 3 - (to - from);
    from = to;
  }
  return { ranks, tieTerm };
};
