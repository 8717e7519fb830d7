/** A coordinate with at most one decimal; anything that is no number becomes 0. */
export const px = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 + 0 : 0);
