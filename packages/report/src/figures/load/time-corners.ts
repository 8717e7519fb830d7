/** A period with its start and end, in milliseconds. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The start of a period, or the end of one without a successor. */
export interface Corner<One> {
  readonly ms: number;
  readonly of: One;
}

/** The points of a step line: the start of each period, and the end of one before a gap, followed by `undefined`. */
export const cornersOf = <One extends Stretch>(
  stretches: readonly One[],
  isJoined: (one: One, next: One) => boolean,
): readonly (Corner<One> | undefined)[] =>
  stretches.flatMap((one, index) => {
    const next = stretches[index + 1];
    const begin = { ms: one.fromMs, of: one };
    return next !== undefined && isJoined(one, next) ? [begin] : [begin, { ms: one.toMs, of: one }, undefined];
  });
