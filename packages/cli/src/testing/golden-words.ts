/** Replacements of words since the goldens were written: `[before, now]`, applied in this order to each file. */
export const goldenWords: readonly (readonly [before: string, now: string])[] = [];
