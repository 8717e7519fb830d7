/** The remaining memory for search results: number of items, and characters of text. */
export interface Allowance {
  items: number;
  characters: number;
}

/** Returns the memory for one search. */
export const searchAllowance = (): Allowance => ({ items: 20_000, characters: 4 * 1024 * 1024 });

/** Returns the memory for all searches of a run together, or of each of its shares. */
export const runAllowance = (shares = 1): Allowance => ({
  items: Math.floor(400_000 / shares),
  characters: Math.floor((64 * 1024 * 1024) / shares),
});

/** Subtracts an amount from every allowance. It returns false and subtracts nothing if one of them is too small. */
export function spend(allowances: readonly Allowance[], unit: keyof Allowance, amount: number): boolean {
  if (allowances.some((allowance) => allowance[unit] < amount)) {
    return false;
  }
  for (const allowance of allowances) {
    allowance[unit] -= amount;
  }
  return true;
}
