/** When a poller may ask. Times are in milliseconds after its start. */
export interface PollSchedule {
  /** The first of its times that is not before `notBeforeMs`. Calls have to ask for times that never go back. */
  next(notBeforeMs: number): number;
}

export interface PollScheduleOptions {
  /** Until the first poll and between the first two. */
  readonly minPollMs: number;
  /** Longest interval, before jitter. */
  readonly maxPollMs: number;
  /** From 0 to below 1; seeded, so that a run can be repeated. */
  readonly random: () => number;
}

/** How much longer each interval is than the one before. */
const growth = 1.25;

/** Most that chance adds to an interval; it never shortens one. */
const jitter = 0.2;

/**
 * Times for polling that are fixed from the start: how long answers take moves none of them. Intervals grow from the shortest
 * to the longest, and chance adds to each, so that pollers do not march in step. Times that were missed are left out.
 */
export function pollSchedule({ minPollMs, maxPollMs, random }: PollScheduleOptions): PollSchedule {
  const slot = { atMs: 0, intervalMs: Math.max(1, minPollMs) };
  const advance = (): void => {
    slot.atMs += slot.intervalMs * (1 + jitter * random());
    slot.intervalMs = Math.max(slot.intervalMs, Math.min(maxPollMs, slot.intervalMs * growth));
  };
  advance();
  return {
    next(notBeforeMs) {
      while (slot.atMs < notBeforeMs) {
        advance();
      }
      return slot.atMs;
    },
  };
}
