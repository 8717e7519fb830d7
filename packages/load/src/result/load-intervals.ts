import { type LoadInterval, type LoadPlan, type LoadSample, quantileRank } from "@assay/results";
import { isNeutral } from "./sample-latencies.ts";

const minuteMs = 60_000;

/** How long the intervals of a run are: 1 s, 10 s above five minutes, 60 s above an hour. */
export const intervalWidthMs = ({ warmupMs, durationMs }: LoadPlan): number => {
  const totalMs = warmupMs + durationMs;
  if (totalMs <= 5 * minuteMs) {
    return 1000;
  }
  return totalMs <= 60 * minuteMs ? 10_000 : minuteMs;
};

interface Stretch {
  readonly index: number;
  readonly phase: LoadInterval["phase"];
  readonly arm: LoadInterval["arm"];
  planned: number;
  ok: number;
  failed: number;
  readonly latenciesMicros: number[];
}

const latencyOf = (sample: LoadSample): number | undefined => {
  if (sample.outcome !== "ok" || sample.kind === "call") {
    return undefined;
  }
  const atMs = sample.kind === "stream" ? sample.firstMatchMs : sample.endMs;
  return atMs === undefined ? undefined : Math.max(0, Math.round((atMs - sample.planMs) * 1000));
};

const count = (stretch: Stretch, sample: LoadSample): void => {
  stretch.planned += 1;
  if (sample.outcome === "ok") {
    stretch.ok += 1;
  } else if (!isNeutral(sample.outcome)) {
    stretch.failed += 1;
  }
  const latency = latencyOf(sample);
  if (latency !== undefined) {
    stretch.latenciesMicros.push(latency);
  }
};

const intervalOf = (stretch: Stretch, widthMs: number, endMs: number): LoadInterval => {
  const { index, phase, arm, planned, ok, failed } = stretch;
  const fromMs = index * widthMs;
  const sorted = stretch.latenciesMicros.sort((a, b) => a - b);
  const quantile = (fraction: number): number => (sorted[quantileRank(sorted.length, fraction) - 1] ?? 0) / 1000;
  return {
    fromMs,
    toMs: endMs > fromMs ? Math.min(fromMs + widthMs, endMs) : fromMs + widthMs,
    phase,
    arm,
    planned,
    ok,
    failed,
    ...(sorted.length === 0 ? {} : { p50Ms: quantile(0.5), p95Ms: quantile(0.95) }),
  };
};

/** Collects streams and conversations into intervals. */
export interface IntervalCounter {
  /** `atMs`: when the sample was to be sent, since the first planned sending of the run. */
  readonly add: (sample: LoadSample, atMs: number, phase: LoadInterval["phase"]) => void;
  /** By time, warm-up before measured, arm a before b; stretches in which nothing was to start are left out. */
  readonly intervals: () => readonly LoadInterval[];
}

/** A counter for runs of a plan. Percentiles of an interval are nearest-rank over what it has, however few. */
export const createIntervalCounter = (plan: LoadPlan): IntervalCounter => {
  const widthMs = intervalWidthMs(plan);
  const stretches = new Map<string, Stretch>();
  return {
    add: (sample, atMs, phase) => {
      const index = Math.max(0, Math.floor(atMs / widthMs));
      const key = `${index} ${phase} ${sample.arm}`;
      let stretch = stretches.get(key);
      if (stretch === undefined) {
        stretch = { index, phase, arm: sample.arm, planned: 0, ok: 0, failed: 0, latenciesMicros: [] };
        stretches.set(key, stretch);
      }
      count(stretch, sample);
    },
    intervals: () =>
      [...stretches.values()]
        .sort((a, b) => a.index - b.index || b.phase.localeCompare(a.phase) || a.arm.localeCompare(b.arm))
        .map((stretch) => intervalOf(stretch, widthMs, plan.warmupMs + plan.durationMs)),
  };
};
