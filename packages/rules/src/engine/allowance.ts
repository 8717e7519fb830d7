/** How much may still be remembered of searches: found things, and characters of text. */
export interface Allowance {
  things: number;
  characters: number;
}

/** What may be remembered of one search. */
export const searchAllowance = (): Allowance => ({ things: 20_000, characters: 4 * 1024 * 1024 });

/** What may be remembered of all searches of a run together. */
export const runAllowance = (): Allowance => ({ things: 400_000, characters: 64 * 1024 * 1024 });

/** Takes some of one kind out of every allowance, or nothing at all when one of them has too little left. */
export function takeFrom(allowances: readonly Allowance[], kind: keyof Allowance, amount: number): boolean {
  if (allowances.some((allowance) => allowance[kind] < amount)) {
    return false;
  }
  for (const allowance of allowances) {
    allowance[kind] -= amount;
  }
  return true;
}
