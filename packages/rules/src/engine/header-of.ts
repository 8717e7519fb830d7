import type { HeaderField } from "@assay/evidence";

/** The value of the last header of a name, which is given in lower case; undefined without one. */
export const headerOf = (headers: readonly HeaderField[], wanted: string): string | undefined =>
  headers.findLast(([name]) => name.toLowerCase() === wanted)?.[1];
