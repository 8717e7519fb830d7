/**
 * When polling is to happen: at whole intervals after its start, whatever answers take. The first such time that is neither
 * before `nowMs` nor the last one again; times that were missed are left out, so a slow target is not asked in bursts.
 */
export function nextSlotMs(
  schedule: { readonly startMs: number; readonly intervalMs: number },
  lastMs: number,
  nowMs: number,
): number {
  const { startMs, intervalMs } = schedule;
  const next = Math.max(Math.ceil((nowMs - startMs) / intervalMs), Math.round((lastMs - startMs) / intervalMs) + 1);
  return startMs + next * intervalMs;
}
