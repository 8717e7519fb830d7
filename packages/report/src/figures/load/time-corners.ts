/** Part of a course: it begins and it ends, in milliseconds. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A moment at which a stretch begins, or at which one ends that no other follows. */
export interface Corner<One> {
  readonly ms: number;
  readonly of: One;
}

/**
 * The moments through which a line of steps leads: the beginning of each stretch, and the end of one that the next is not
 * joined to, behind which there is a gap (`undefined`).
 */
export const cornersOf = <One extends Stretch>(
  stretches: readonly One[],
  isJoined: (one: One, next: One) => boolean,
): readonly (Corner<One> | undefined)[] =>
  stretches.flatMap((one, index) => {
    const next = stretches[index + 1];
    const begin = { ms: one.fromMs, of: one };
    return next !== undefined && isJoined(one, next) ? [begin] : [begin, { ms: one.toMs, of: one }, undefined];
  });
