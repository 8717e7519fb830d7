import type { HeaderField } from "@assay/evidence";

/** The value of the last header with a lower-case name; undefined if there is none. */
export const headerOf = (headers: readonly HeaderField[], wanted: string): string | undefined =>
  headers.findLast(([name]) => name.toLowerCase() === wanted)?.[1];
