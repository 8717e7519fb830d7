import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadMetric, LoadPlan, LoadResult } from "@assay/results";

const plan: LoadPlan = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://127.0.0.1:3080" },
  shape: "steady",
  ratePerSecond: 10,
  durationMs: 60_000,
  warmupMs: 10_000,
  queries: [{ name: "error", text: "error" }],
  timeoutMs: 60_000,
  maxEventBytes: 64 * 1024 * 1024,
  maxVus: 500,
};

const firstMatch = (medianMs: number): LoadMetric => ({
  metric: "first-match",
  side: "base",
  count: 600,
  meanMs: medianMs,
  minMs: medianMs / 2,
  maxMs: medianMs * 4,
  p50: { value: medianMs },
  p95: { value: medianMs * 2 },
  p99: { value: medianMs * 3 },
});

/** What of a stored load run a test chooses. */
export interface StoredLoad {
  readonly id: string;
  /** Median of the first matches; the other percentiles follow from it. */
  readonly medianMs: number;
  readonly ratePerSecond?: number;
}

const resultOf = ({ id, medianMs, ratePerSecond = 10 }: StoredLoad): LoadResult => ({
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: {
    id,
    startedAt: "2026-01-02T03:04:05.000Z",
    target: plan.targets.base,
    embedded: false,
    limits: "local",
    seed: 1,
    processes: 1,
    scenarioSha256: "0".repeat(64),
  },
  plan: { ...plan, ratePerSecond },
  environment: {
    platform: "linux",
    architecture: "x64",
    cpuModel: "Example CPU",
    cores: 4,
    memoryBytes: 8_000_000_000,
    nodeVersion: "v20.20.0",
    k6Version: "v2.2.0",
    k6Sha256: "1".repeat(64),
    fingerprint: "2".repeat(64),
  },
  outcome: "passed",
  exitCode: 0,
  summary: "all well",
  incomplete: [],
  complete: true,
  trust: { valid: true, checks: [] },
  outcomes: { stream: { ok: 600 } },
  violations: {},
  observations: {},
  metrics: [firstMatch(medianMs)],
  histograms: [],
  intervals: [],
  thresholds: [],
});

/** Writes the result of a load run that ended well into a folder of its own below `parent`. */
export function writeStoredLoad(parent: string, run: StoredLoad): string {
  const folder = join(parent, run.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "load.json"), JSON.stringify(resultOf(run)));
  return folder;
}
