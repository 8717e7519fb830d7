import { binomialUpperTail } from "../../statistics/binomial.ts";

const bisect = (isBelow: (share: number) => boolean): number => {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
};

/** Largest true share with which so few hits in so many trials are still as likely as `1 - confidence`. By Clopper and Pearson. */
export const shareAtMost = (hits: number, trials: number, confidence: number): number =>
  bisect((share) => 1 - binomialUpperTail(trials, share, hits + 1) > 1 - confidence);

/** Smallest true share with which so many hits are still as likely as `1 - confidence`. */
export const shareAtLeast = (hits: number, trials: number, confidence: number): number =>
  bisect((share) => binomialUpperTail(trials, share, hits) < 1 - confidence);
