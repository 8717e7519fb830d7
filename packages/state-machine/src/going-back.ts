import type { Bounds } from "./bounds.ts";
import type { Session } from "./session.ts";
import { isBefore, newerBy } from "./witness.ts";
import type { Witness } from "./witness.ts";

/** What was seen to go back: a value and all that are above it. */
export interface Descent {
  readonly high: Bounds;
  readonly low: Bounds;
  /** The lower value is the one everything begins with, so an older version may show it although nobody saw it. */
  readonly isLowInitial: boolean;
  /** End of the first answer of a session that showed a higher value; infinite where there is none. */
  readonly highEndMicros: (session: Session) => number;
}

/** An ordered pair that goes down, and what it is: an older version, or a step that the server took. */
export interface Fall {
  readonly kind: "stale" | "newer" | "stays" | "undated";
  readonly first: Witness;
  readonly second: Witness;
}

/**
 * Whether the later observation may have shown an older version of what the earlier one showed. A strictly older time of
 * update says so itself. An equal one does if that very version was shown before, or if times are cut to whole seconds and the
 * value is one that was there before: then two versions of one second have the same time. Without times nothing says so.
 */
function mayBeOlder({ low, isLowInitial }: Descent, first: Witness, second: Witness): boolean {
  const newer = newerBy(first, second);
  if (newer !== 0) {
    return newer < 0;
  }
  const { maxUpdatedFirst, minSent } = low;
  const wasShown =
    maxUpdatedFirst?.updatedMicros === second.updatedMicros && maxUpdatedFirst.sentAtMicros <= first.endedAtMicros;
  const isCoarse = Math.max(first.updatedUnitMicros, second.updatedUnitMicros) >= 1_000_000;
  return wasShown || (isCoarse && (isLowInitial || minSent.sentAtMicros <= first.endedAtMicros));
}

/**
 * Whether it stays so: a session saw the higher value and then the lower one, and the last two reads of all sessions show the
 * lower one, one after the other or in two sessions. One late read alone may come from a replica that lags.
 */
function staysSo({ high, low, highEndMicros }: Descent): boolean {
  const last = low.maxSent;
  const before = low.nextSent;
  if (before === undefined || before.sentAtMicros <= high.maxSent.sentAtMicros) {
    return false;
  }
  const isAfter = before.sentAtMicros > high.maxSent.endedAtMicros;
  const isSequence = isBefore(before, last) || before.session !== last.session;
  const sawBoth = [before, last].some((read) => highEndMicros(read.session) < read.sentAtMicros);
  return isAfter && isSequence && sawBoth;
}

/** Finds whether anything went back, and whether staleness explains it. Only extremes are looked at, so it takes constant time. */
export function fallOf(descent: Descent): Fall | undefined {
  const { high, low } = descent;
  const first = high.minEnd;
  const second = low.maxSent;
  if (!isBefore(first, second)) {
    return undefined;
  }
  const pairs: readonly (readonly [Witness | undefined, Witness | undefined])[] = [
    [first, second],
    [high.minUpdated, low.maxUpdated],
    [first, low.maxUpdated],
    [high.minUpdated, second],
  ];
  for (const [a, b] of pairs) {
    if (a !== undefined && b !== undefined && isBefore(a, b) && !mayBeOlder(descent, a, b)) {
      return { kind: Number.isNaN(a.updatedMicros + b.updatedMicros) ? "undated" : "newer", first: a, second: b };
    }
  }
  return { kind: staysSo(descent) ? "stays" : "stale", first, second };
}
