/** A period with its start and end, in milliseconds. */
interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The start of a period, or the end of a period without a successor. */
export interface Corner<Item> {
  readonly ms: number;
  readonly period: Item;
}

/** Returns the points of a step line: the start of each period, and the end of a period before a gap, followed by `undefined`. */
export const listStepCorners = <Item extends Period>(
  periods: readonly Item[],
  isJoined: (period: Item, next: Item) => boolean,
): readonly (Corner<Item> | undefined)[] =>
  periods.flatMap((period, index) => {
    const next = periods[index + 1];
    const start = { ms: period.fromMs, period };
    return next !== undefined && isJoined(period, next) ? [start] : [start, { ms: period.toMs, period }, undefined];
  });
