import { setTimeout as delay } from "node:timers/promises";
import type { EmitterProcess } from "./emitter-process.ts";
import type { K6Outcome, K6Run } from "./k6-process.ts";

/** What happened between two instants in the middle of a run. */
export interface Stretch {
  readonly streams: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly emitterCpuSeconds: number;
}

interface Bounds {
  /** From the first finished stream to the beginning. */
  readonly settleMs: number;
  readonly lengthMs: number;
}

const startLimitMs = 20_000;
const lookMs = 50;

/**
 * Counts in a stretch that leaves out the start of k6 and of its users, and waits for the end of the run. Throws what the run
 * throws, and when nothing is ever finished.
 */
export async function measuredStretch(
  emitter: EmitterProcess,
  run: K6Run,
  bounds: Bounds,
): Promise<{ readonly stretch: Stretch; readonly outcome: K6Outcome }> {
  // Both are waited for whatever happens: the emitter must not be ended while it is asked.
  const [outcome, stretch] = await Promise.allSettled([run.ended, countedStretch(emitter, run, bounds)]);
  if (outcome.status === "rejected") {
    throw outcome.reason;
  }
  if (stretch.status === "rejected") {
    throw stretch.reason;
  }
  return { stretch: stretch.value, outcome: outcome.value };
}

async function countedStretch(emitter: EmitterProcess, run: K6Run, bounds: Bounds): Promise<Stretch> {
  const deadline = performance.now() + startLimitMs;
  const before = (await emitter.count()).finished;
  while ((await emitter.count()).finished === before) {
    if (performance.now() > deadline) {
      throw new Error(`k6 finished no stream within ${startLimitMs} ms`);
    }
    await delay(lookMs);
  }
  await delay(bounds.settleMs);
  const start = await snapshot(emitter, run);
  await delay(bounds.lengthMs);
  const end = await snapshot(emitter, run);
  return {
    streams: end.finished - start.finished,
    wallSeconds: (end.at - start.at) / 1000,
    cpuSeconds: end.k6 - start.k6,
    emitterCpuSeconds: end.cpuSeconds - start.cpuSeconds,
  };
}

interface Snapshot {
  readonly at: number;
  readonly k6: number;
  readonly finished: number;
  readonly cpuSeconds: number;
}

async function snapshot(emitter: EmitterProcess, run: K6Run): Promise<Snapshot> {
  const { finished, cpuSeconds } = await emitter.count();
  return { at: performance.now(), k6: run.cpuSeconds(), finished, cpuSeconds };
}
