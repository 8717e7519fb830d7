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

/** Upper Clopper-Pearson bound of a share: with it, at most this many hits have the probability `1 - confidence`. */
export const shareAtMost = (hits: number, trials: number, confidence: number): number =>
  bisect((share) => 1 - binomialUpperTail(trials, share, hits + 1) > 1 - confidence);

/** Lower Clopper-Pearson bound of a share: with it, at least this many hits have the probability `1 - confidence`. */
export const shareAtLeast = (hits: number, trials: number, confidence: number): number =>
  bisect((share) => binomialUpperTail(trials, share, hits) < 1 - confidence);
