import type { EventTick } from "@assay/results";

/** Two ticks as one. */
const joined = (one: EventTick, other: EventTick): EventTick => ({
  fromMicros: Math.min(one.fromMicros, other.fromMicros),
  toMicros: Math.max(one.toMicros, other.toMicros),
  bytes: one.bytes + other.bytes,
  events: one.events + other.events,
  matches: one.matches + other.matches,
});

/**
 * At most so many ticks: those that lie closest together are drawn together, so nothing that stands apart is lost. Sums of
 * bytes, events and matches stay what they are. Ticks have to be in order.
 */
export function mergeTicks(ticks: readonly EventTick[], most: number): readonly EventTick[] {
  const tooMany = ticks.length - Math.max(1, most);
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
