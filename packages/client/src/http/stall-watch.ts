import { setTimeout as wait } from "node:timers/promises";
import type { Stall } from "@assay/evidence";
import type { RunClock } from "../run-clock.ts";

const tickMs = 10;

/** The precision of timers: a tick may be this late in an idle process. */
const slackMs = 10;

/** Beyond this number, neighbouring stalls are merged in pairs. This bounds memory. A longer stall only makes rules more lenient. */
const maxStalls = 256;

/**
 * Records when this process is too busy to read. The returned function stops watching and returns the stalls in order, including one in
 * progress. Short stalls are included, because many of them delay reading as much as a long one.
 */
export function watchStalls(clock: RunClock): () => Promise<readonly Stall[]> {
  let lastTickMicros = clock.nowMicros();
  let stalls: Stall[] = [];
  const tick = (): void => {
    const nowMicros = clock.nowMicros();
    const dueMicros = lastTickMicros + tickMs * 1000;
    lastTickMicros = nowMicros;
    if (nowMicros - dueMicros > slackMs * 1000) {
      stalls.push([dueMicros, nowMicros]);
      stalls = stalls.length > maxStalls ? mergePairs(stalls) : stalls;
    }
  };
  const timer = setInterval(tick, tickMs);
  return async () => {
    // A stall in progress is measured when its timers fire again.
    await wait(0);
    clearInterval(timer);
    tick();
    return stalls;
  };
}

const mergePairs = (stalls: readonly Stall[]): Stall[] =>
  stalls.flatMap(([from, to], index) => (index % 2 === 0 ? [[from, stalls[index + 1]?.[1] ?? to] as const] : []));
