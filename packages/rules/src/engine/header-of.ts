import type { HeaderField } from "@assay/evidence";

/** Returns the value of the last header with this lower-case name, or undefined. */
export const headerOf = (headers: readonly HeaderField[], lowerCaseName: string): string | undefined =>
  headers.findLast(([name]) => name.toLowerCase() === lowerCaseName)?.[1];
