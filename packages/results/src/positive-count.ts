import type { PositiveCount } from "./verdict.ts";

const isPositive = (count: number): count is PositiveCount => Number.isSafeInteger(count) && count >= 1;

/** The count as evidence that something was seen; undefined for zero, negatives, fractions and anything unsafe. */
export const positiveCount = (count: number): PositiveCount | undefined => (isPositive(count) ? count : undefined);
