import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Read } from "@assay/state-machine";
import { pollTraffic, stagesOf } from "./poll-traffic.ts";
import type { TrafficShape } from "./poll-traffic.ts";

/** A checker of reads: the one that is measured or a peer. */
export interface MeasuredChecker {
  observe(read: Read): void;
  finish(): { readonly findings: readonly unknown[] };
}

export interface Measured {
  /** CPU time for observing and judging. */
  readonly checkMs: number;
  /** CPU time for parsing the same answers. */
  readonly parseMs: number;
  /** Heap after half of the observations, when every value was shown once, and after all of them. */
  readonly heapBytes: readonly [early: number, late: number];
  readonly findings: number;
}

const batchLength = 128;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** CPU time, including garbage collection. Other programs do not affect it. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function parsingMs({ machine, observations }: TrafficShape): number {
  const stages = stagesOf(machine);
  return timed(() => {
    for (let index = 0; index < observations; index += 1) {
      JSON.parse(stages[Math.min(9, Math.floor((index / observations) * 20))] ?? "{}");
    }
  });
}

/** The reads in small batches. Generating them is not measured, and their strings are as fresh as from a parser. */
function* batches(shape: TrafficShape): Generator<readonly Read[]> {
  let batch: Read[] = [];
  for (const read of pollTraffic(shape)) {
    batch.push(read);
    if (batch.length === batchLength) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/** Feeds all traffic to one checker. */
export function measure(shape: TrafficShape, createChecker: () => MeasuredChecker): Measured {
  const checker = createChecker();
  const before = heapBytes();
  let early = 0;
  let count = 0;
  let checkMs = 0;
  for (const batch of batches(shape)) {
    checkMs += timed(() => {
      for (const read of batch) {
        checker.observe(read);
      }
    });
    count += batch.length;
    early = early === 0 && count > shape.observations / 2 ? heapBytes() - before : early;
  }
  let findings = 0;
  checkMs += timed(() => {
    findings = checker.finish().findings.length;
  });
  const late = heapBytes() - before;
  // Called after measuring to keep the checker alive.
  checker.finish();
  return { checkMs, parseMs: parsingMs(shape), heapBytes: [early, late], findings };
}
