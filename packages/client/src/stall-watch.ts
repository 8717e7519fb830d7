import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

const resolutionMs = 10;

/**
 * Watches how long this process is busy with something else than reading. The returned function ends the watch and gives
 * the longest such time in microseconds, never less than the last one that was still going on when it was called.
 */
export function watchStalls(): () => Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  return async () => {
    // What kept the process busy just now is measured when its timers run again.
    await wait(0);
    delays.disable();
    return Math.round(delays.max / 1000);
  };
}
