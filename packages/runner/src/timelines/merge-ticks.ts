import type { EventTick } from "@assay/results";

const joinTicks = (first: EventTick, second: EventTick): EventTick => ({
  fromMicros: Math.min(first.fromMicros, second.fromMicros),
  toMicros: Math.max(first.toMicros, second.toMicros),
  bytes: first.bytes + second.bytes,
  events: first.events + second.events,
  matches: first.matches + second.matches,
});

/**
 * Merges the closest ticks until at most `max` remain, so that isolated ticks remain visible. Preserves the sums of bytes, events and
 * matches. Ticks must be in order.
 */
export function mergeTicks(ticks: readonly EventTick[], maxCount: number): readonly EventTick[] {
  const excessCount = ticks.length - Math.max(1, maxCount);
  if (excessCount <= 0) {
    return ticks;
  }
  const gaps = ticks.slice(1).map((tick, index) => ({ index, gap: tick.fromMicros - (ticks[index]?.toMicros ?? 0) }));
  gaps.sort((a, b) => a.gap - b.gap || a.index - b.index);
  const closedGaps = new Set(gaps.slice(0, excessCount).map(({ index }) => index));
  const mergedTicks: EventTick[] = [];
  for (const [index, tick] of ticks.entries()) {
    const previousTick = closedGaps.has(index - 1) ? mergedTicks.pop() : undefined;
    mergedTicks.push(previousTick === undefined ? tick : joinTicks(previousTick, tick));
  }
  return mergedTicks;
}
