const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Returns the probability between 0 and `x`, by a series that needs few terms near 0. */
const centralShare = (x: number): number => {
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return density(x) * sum;
};

/** Returns the probability above `x`, by a continued fraction that needs few terms far from 0. */
const farTail = (x: number): number => {
  let fraction = x;
  for (let term = 120; term >= 1; term -= 1) {
    fraction = x + term / fraction;
  }
  return density(x) / fraction;
};

/** Returns the probability above `x` in the standard normal distribution. Accurate to at least 12 digits, even in the far tail. */
export const normalUpperTail = (x: number): number => {
  if (x < 0) {
    return 1 - normalUpperTail(-x);
  }
  return x < 2.5 ? 0.5 - centralShare(x) : farTail(x);
};

/** Returns the value of the standard normal distribution whose upper tail is `tail`, between 0 and 1. */
export const normalUpperQuantile = (tail: number): number => {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (normalUpperTail(middle) > tail) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
};
