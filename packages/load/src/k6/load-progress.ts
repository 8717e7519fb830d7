import { defined } from "@assay/contract";
import type { LoadSample } from "@assay/results";
import { isArrival, isNeutral, isNotAdmitted } from "../result/sample-latencies.ts";

/** The progress of a run. Counts include the streams and conversations of all phases so far. */
export interface LoadProgress {
  readonly elapsedMs: number;
  readonly ok: number;
  readonly failed: number;
  readonly notBegun: number;
  /** Samples with a violation, calls included. */
  readonly violations: number;
  /** The number of busy virtual users. Absent if unknown. */
  readonly busyUsers?: number;
  /** The median of the latest first matches, or of the latest polls. Absent if there are none. */
  readonly p50Ms?: number;
  /** The metric of `p50Ms`. */
  readonly metric?: "first-match" | "poll";
}

const maxRecentLatencies = 200;

/** Counts samples for progress updates. */
export interface ProgressCounter {
  readonly add: (sample: LoadSample) => void;
  readonly progress: (elapsedMs: number, busyUsers?: number) => LoadProgress;
}

type ProgressLatency = { readonly metric: "first-match" | "poll"; readonly latencyMs: number };

const measureLatency = (sample: LoadSample): ProgressLatency | undefined => {
  if (sample.outcome !== "ok" && sample.outcome !== "violation") {
    return undefined;
  }
  if (sample.kind === "stream") {
    const { firstMatchMs, planMs } = sample;
    return firstMatchMs === undefined ? undefined : { metric: "first-match", latencyMs: firstMatchMs - planMs };
  }
  return sample.kind === "call" && sample.operation === "poll" && sample.outcome === "ok"
    ? { metric: "poll", latencyMs: sample.endMs - sample.planMs }
    : undefined;
};

const computeUpperMedian = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Creates a counter. Its median covers the latest 200 values: first matches, or polls if there are none. */
export const createProgressCounter = (): ProgressCounter => {
  const counts = { ok: 0, failed: 0, notBegun: 0, violations: 0 };
  const recentLatencies = { "first-match": new Array<number>(), poll: new Array<number>() };
  return {
    add: (sample) => {
      counts.violations += sample.outcome === "violation" || sample.codes !== undefined ? 1 : 0;
      if (isArrival(sample)) {
        counts.ok += sample.outcome === "ok" ? 1 : 0;
        counts.notBegun += isNotAdmitted(sample.outcome) ? 1 : 0;
        counts.failed += sample.outcome !== "ok" && !isNeutral(sample.outcome) ? 1 : 0;
      }
      const latency = measureLatency(sample);
      if (latency !== undefined) {
        const values = recentLatencies[latency.metric];
        values.push(latency.latencyMs);
        values.splice(0, values.length - maxRecentLatencies);
      }
    },
    progress: (elapsedMs, busyUsers) => {
      const metric = recentLatencies["first-match"].length > 0 ? "first-match" : "poll";
      const values = recentLatencies[metric];
      const state = { elapsedMs, ...counts, ...defined({ busyUsers }) };
      return { ...state, ...(values.length === 0 ? {} : { metric, p50Ms: computeUpperMedian(values) }) };
    },
  };
};
