import { setTimeout as wait } from "node:timers/promises";
import type { Stall } from "@assay/evidence";
import type { RunClock } from "../run-clock.ts";

const tickMs = 10;

/** A tick may come this much late without anything in its way: timers are no more exact. */
const slackMs = 10;

/** More stalls than this are put together, two neighbours into one: memory has an end, and a longer stall excuses more. */
const maxStalls = 256;

/**
 * Watches when this process is busy with something else than reading. The returned function ends the watch and gives the
 * stalls in their order, with one that was still going on when it was called. All of them count, since many short ones keep
 * as much from being read as a long one.
 */
export function watchStalls(clock: RunClock): () => Promise<readonly Stall[]> {
  let lastAt = clock.nowMicros();
  let stalls: Stall[] = [];
  const tick = (): void => {
    const now = clock.nowMicros();
    const dueAt = lastAt + tickMs * 1000;
    lastAt = now;
    if (now - dueAt > slackMs * 1000) {
      stalls.push([dueAt, now]);
      stalls = stalls.length > maxStalls ? pairsOf(stalls) : stalls;
    }
  };
  const ticking = setInterval(tick, tickMs);
  return async () => {
    // What kept the process busy just now is measured when its timers run again.
    await wait(0);
    clearInterval(ticking);
    tick();
    return stalls;
  };
}

const pairsOf = (stalls: readonly Stall[]): Stall[] =>
  stalls.flatMap(([from, to], index) => (index % 2 === 0 ? [[from, stalls[index + 1]?.[1] ?? to] as const] : []));
