import type { LoadMetric } from "@assay/results";
import { median, quantile } from "../../statistics/quantile.ts";
import type { StoredRun } from "../stored-run.ts";
import { type LatencyModel, queryCosts, slotLatencies, weather } from "./latency-model.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { simulatedPlan } from "./simulate-pairs.ts";

const requestsPerSlot = 200;
const slotsPerRun = 3;
/** The machine has other work between two runs. */
const slotsBetweenRuns = 3;

/** A stored run with the percentiles of these latencies, in milliseconds. */
export const storedRunOf = (id: string, startedAt: string, latencies: Float64Array): StoredRun => {
  const sorted = latencies.toSorted();
  const metric: LoadMetric = {
    metric: "first-match",
    side: "base",
    count: sorted.length,
    meanMs: latencies.reduce((sum, value) => sum + value, 0) / sorted.length,
    minMs: sorted[0] ?? 0,
    maxMs: sorted.at(-1) ?? 0,
    p50: { value: median(sorted) },
    p95: { value: quantile(sorted, 0.95) },
    p99: { value: quantile(sorted, 0.99) },
  };
  const { blocks: _, ...plan } = simulatedPlan({ pairs: 0, warmupPairs: 0, requestsPerBlock: 0, margins: {} });
  return {
    schemaVersion: 2,
    run: { id, startedAt, target: "http://127.0.0.1:1", processes: 1, scenarioSha256: "ab".repeat(32) },
    plan: { ...plan, targets: { base: plan.targets.base }, durationMs: 30_000 },
    environment: { fingerprint: "cd".repeat(32), cpuModel: "Simulated", cores: 2, k6Version: "2.2.0" },
    complete: true,
    trust: { valid: true },
    outcomes: { stream: { ok: sorted.length } },
    metrics: [metric],
  };
};

export interface StoredSimulation {
  readonly runsPerSide: number;
  readonly model: LatencyModel;
  /** Of the logarithm of all latencies of the head. */
  readonly logShift: number;
  /** Runs of both sides in turn, all of one side and then all of the other, or that on two days that differ by 5 %. */
  readonly order: "alternating" | "in sequence" | "on two days";
}

const daySd = 0.05;

/** Runs of 600 requests of both sides, in the order of time that `order` names. */
export const simulateStored = (
  { runsPerSide, model, logShift, order }: StoredSimulation,
  random: SeededRandom,
): { readonly base: readonly StoredRun[]; readonly head: readonly StoredRun[] } => {
  const costs = queryCosts(model, random);
  const slots = weather(2 * runsPerSide * (slotsPerRun + slotsBetweenRuns), random);
  const day = order === "on two days" ? daySd * random.normal() : 0;
  const all = Array.from({ length: 2 * runsPerSide }, (_, index) => {
    const isHead = order === "alternating" ? (index + (index >> 1)) % 2 === 1 : index >= runsPerSide;
    const latencies = new Float64Array(requestsPerSlot * slotsPerRun);
    for (let slot = 0; slot < slotsPerRun; slot += 1) {
      const slowdown = (slots[index * (slotsPerRun + slotsBetweenRuns) + slot] ?? 0) + (isHead ? logShift + day : 0);
      latencies.set(slotLatencies(requestsPerSlot, slowdown, { model, costs, random }), slot * requestsPerSlot);
    }
    const startedAt = `2026-01-01T${String(index).padStart(2, "0")}:00:00.000Z`;
    return { isHead, run: storedRunOf(`run-${index}`, startedAt, latencies) };
  });
  return {
    base: all.filter(({ isHead }) => !isHead).map(({ run }) => run),
    head: all.filter(({ isHead }) => isHead).map(({ run }) => run),
  };
};
