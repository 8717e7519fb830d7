import { boundsOf, extend } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import type { Witness } from "./witness.ts";

/** Bounds by state. */
export type StateBounds = (Bounds | undefined)[];

export function extendState(bounds: StateBounds, state: number, witness: Witness): void {
  const known = bounds[state];
  if (known === undefined) {
    bounds[state] = boundsOf(witness);
  } else {
    extend(known, witness);
  }
}
