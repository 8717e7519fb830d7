/**
 * Returns the next poll time: a whole number of intervals after the start, not before `nowMs`, and after `lastMs`. Skips
 * missed times, so that a slow target is not polled in bursts.
 */
export function nextSlotMs(
  schedule: { readonly startMs: number; readonly intervalMs: number },
  lastMs: number,
  nowMs: number,
): number {
  const { startMs, intervalMs } = schedule;
  const nextSlot = Math.max(Math.ceil((nowMs - startMs) / intervalMs), Math.round((lastMs - startMs) / intervalMs) + 1);
  return startMs + nextSlot * intervalMs;
}
