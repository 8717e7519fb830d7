import type { EventTick } from "@assay/results";

const joined = (one: EventTick, other: EventTick): EventTick => ({
  fromMicros: Math.min(one.fromMicros, other.fromMicros),
  toMicros: Math.max(one.toMicros, other.toMicros),
  bytes: one.bytes + other.bytes,
  events: one.events + other.events,
  matches: one.matches + other.matches,
});

/**
 * Merges the closest ticks until at most `max` remain, so that isolated ticks remain visible. Preserves the sums of bytes, events and
 * matches. Ticks must be in order.
 */
export function mergeTicks(ticks: readonly EventTick[], max: number): readonly EventTick[] {
  const tooMany = ticks.length - Math.max(1, max);
  if (tooMany <= 0) {
    return ticks;
  }
  const gaps = ticks.slice(1).map((tick, index) => ({ index, gap: tick.fromMicros - (ticks[index]?.toMicros ?? 0) }));
  gaps.sort((one, other) => one.gap - other.gap || one.index - other.index);
  const closed = new Set(gaps.slice(0, tooMany).map(({ index }) => index));
  const merged: EventTick[] = [];
  for (const [index, tick] of ticks.entries()) {
    const before = closed.has(index - 1) ? merged.pop() : undefined;
    merged.push(before === undefined ? tick : joined(before, tick));
  }
  return merged;
}
