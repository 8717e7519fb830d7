import { setTimeout as wait } from "node:timers/promises";

const tickMs = 10;

/** A tick may come this much late without anything in its way: timers are no more exact. */
const slackMs = 10;

/**
 * Watches how long this process is busy with something else than reading. The returned function ends the watch and gives
 * the sum of such times in microseconds, with one that was still going on when it was called. It is the sum, since many short
 * ones keep as much from being read as a long one.
 */
export function watchStalls(): () => Promise<number> {
  let lastAt = performance.now();
  let stalledMs = 0;
  const tick = (): void => {
    const now = performance.now();
    const lateMs = now - lastAt - tickMs;
    lastAt = now;
    stalledMs += lateMs > slackMs ? lateMs : 0;
  };
  const ticking = setInterval(tick, tickMs);
  return async () => {
    // What kept the process busy just now is measured when its timers run again.
    await wait(0);
    clearInterval(ticking);
    tick();
    return Math.round(stalledMs * 1000);
  };
}
