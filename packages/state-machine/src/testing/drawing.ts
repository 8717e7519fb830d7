/** Draws integers from 0 up to, but not including, a limit. */
export type Draw = (limit: number) => number;

/** Draws the same numbers for the same seed. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
}

/** The members of a list in random order. */
export function shuffled<Member>(members: readonly Member[], draw: Draw): readonly Member[] {
  return members
    .map((member) => [draw(1_000_000), member] as const)
    .sort(([a], [b]) => a - b)
    .map(([, member]) => member);
}
