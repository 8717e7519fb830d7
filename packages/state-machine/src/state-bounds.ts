import { boundsOf, extend } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import type { Sighting } from "./sighting.ts";

/** Bounds by state. */
export type StateBounds = (Bounds | undefined)[];

export function extendState(bounds: StateBounds, state: number, sighting: Sighting): void {
  const known = bounds[state];
  if (known === undefined) {
    bounds[state] = boundsOf(sighting);
  } else {
    extend(known, sighting);
  }
}
