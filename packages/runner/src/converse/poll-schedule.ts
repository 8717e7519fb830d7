/** The times of a poller's requests, in milliseconds after its start. */
export interface PollSchedule {
  /** Returns the first time that is not before `notBeforeMs`. Call it with ascending times. */
  next(notBeforeMs: number): number;
}

export interface PollScheduleOptions {
  /** Interval before the first poll and between the first two. */
  readonly minPollMs: number;
  /** Maximum interval, before jitter. */
  readonly maxPollMs: number;
  /** Returns a number from 0 to below 1. Seeded, so that a run can be repeated. */
  readonly random: () => number;
}

/** Ratio of consecutive intervals. */
const intervalGrowth = 1.25;

/** Maximum share that jitter adds to an interval. */
const maxJitter = 0.2;

/**
 * Creates poll times that are fixed from the start and do not depend on how long answers take. Intervals grow from the minimum to the
 * maximum with jitter, so that pollers do not synchronize. Missed times are skipped.
 */
export function createPollSchedule({ minPollMs, maxPollMs, random }: PollScheduleOptions): PollSchedule {
  const slot = { atMs: 0, intervalMs: Math.max(1, minPollMs) };
  const advance = (): void => {
    slot.atMs += slot.intervalMs * (1 + maxJitter * random());
    slot.intervalMs = Math.max(slot.intervalMs, Math.min(maxPollMs, slot.intervalMs * intervalGrowth));
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
