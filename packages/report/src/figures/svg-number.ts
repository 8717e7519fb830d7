/** Rounds a coordinate to one decimal. NaN and infinity become 0. */
export const px = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 + 0 : 0);
