/** Even and normal random numbers that are the same in every run. */
export interface SeededRandom {
  /** Between 0 and 1, both excluded. */
  readonly even: () => number;
  /** Mean 0, standard deviation 1. */
  readonly normal: () => number;
}

/** Mixes three numbers and a counter of 32 bits (sfc32). The period is far longer than any simulation. */
const evenNumbers = (seed: number): (() => number) => {
  let a = seed | 0;
  let b = 0x9e3779b9 | 0;
  let c = 0x243f6a88;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return ((sum >>> 0) + 0.5) / 4_294_967_296;
  };
  // The first numbers after a small seed are alike.
  for (let round = 0; round < 20; round += 1) {
    next();
  }
  return next;
};

/** Normal numbers by the polar method: two from each pair of even ones, a fifth of which are rejected. */
const normalNumbers = (even: () => number): (() => number) => {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    let x = 0;
    let y = 0;
    let radius = 0;
    do {
      x = 2 * even() - 1;
      y = 2 * even() - 1;
      radius = x * x + y * y;
    } while (radius >= 1);
    const scale = Math.sqrt((-2 * Math.log(radius)) / radius);
    spare = y * scale;
    return x * scale;
  };
};

export const seededRandom = (seed: number): SeededRandom => {
  const even = evenNumbers(seed);
  return { even, normal: normalNumbers(even) };
};
