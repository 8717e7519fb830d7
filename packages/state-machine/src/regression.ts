import type { Bounds } from "./bounds.ts";
import { isBefore, newerBy } from "./witness.ts";
import type { Session, Witness } from "./witness.ts";

/** A value that was shown after a higher one. */
export interface Descent {
  readonly high: Bounds;
  readonly low: Bounds;
  /** The lower value is the initial one, so an older version may show it even if no read did. */
  readonly isLowInitial: boolean;
  /** End of the first answer that showed a session a higher value; infinite without one. */
  readonly highEndMicros: (session: Session) => number;
}

/** An ordered pair of observations that goes down, and its cause: an older version, or a step of the server. */
export interface Regression {
  readonly kind: "stale" | "newer" | "stays" | "undated";
  readonly first: Witness;
  readonly second: Witness;
}

/**
 * True if the second observation may show an older version than the first one. A strictly earlier update time proves it. An
 * equal update time allows it in two cases: this version was shown before, or times are truncated to seconds and the value
 * was shown before, so that two versions of one second have the same time. Without times it is false.
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
 * True if the lower value persists: a session saw the higher value and then the lower one, and the last two reads show the
 * lower one, in sequence or in two sessions. A single late read may come from a lagging replica.
 */
function persists({ high, low, highEndMicros }: Descent): boolean {
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

/** Finds a regression and whether staleness explains it. Compares extremes only, so it takes constant time. */
export function findRegression(descent: Descent): Regression | undefined {
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
  return { kind: persists(descent) ? "stays" : "stale", first, second };
}
