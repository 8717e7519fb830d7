import type { PositiveCount } from "./verdict.ts";

const isPositive = (count: number): count is PositiveCount => Number.isSafeInteger(count) && count >= 1;

/** Returns the count if it is a positive safe integer, or undefined. */
export const toPositiveCount = (count: number): PositiveCount | undefined => (isPositive(count) ? count : undefined);
