import type { PositiveCount } from "./verdict.ts";

const isPositive = (count: number): count is PositiveCount => Number.isSafeInteger(count) && count >= 1;

/** The count, or undefined unless it is a positive safe integer. */
export const positiveCount = (count: number): PositiveCount | undefined => (isPositive(count) ? count : undefined);
