import type { LoadResult } from "../load/load-result.ts";

/** A type with all of its members, however deep, so that none can be forgotten. */
type Complete<T> = T extends readonly (infer One)[]
  ? number extends T["length"]
    ? readonly [Complete<One>]
    : T
  : T extends object
    ? { readonly [K in keyof T]-?: Complete<Exclude<T[K], undefined>> }
    : T;

const sha256 = "ab".repeat(32);
const percentile = { value: 20, isLater: true, low: 19, high: 22 } as const;

/** A load result in which every member is there, for tests: an invalid run of a comparison that also violated the contract. */
export const completeLoadResult = {
  schemaVersion: 1,
  tool: { name: "assay", version: "0.1.0" },
  run: {
    id: "20260102-030405-abcd",
    startedAt: "2026-01-02T03:04:05.000Z",
    target: "http://127.0.0.1:3080",
    against: "http://127.0.0.1:3081",
    embedded: true,
    limits: "local",
    seed: 1,
    preset: "standard",
    processes: 1,
    scenarioSha256: sha256,
  },
  plan: {
    version: 1,
    scenario: "mixed",
    targets: { a: "http://127.0.0.1:3080", b: "http://127.0.0.1:3081" },
    shape: "steady",
    ratePerSecond: 2,
    durationMs: 60_000,
    warmupMs: 5000,
    queries: [{ name: "q1", text: "one" }],
    blocks: { pairs: 30, warmupPairs: 2, requestsPerBlock: 200, gapRequests: 2, seed: 1 },
    timeoutMs: 60_000,
    maxEventBytes: 1_000_000,
    maxVus: 20,
    conversation: {
      interface: "current",
      pollIntervalMs: 250,
      deadlineMs: 60_000,
      questions: [{ name: "q1", text: "what is this?" }],
      marker: "abcd",
      budget: 10,
    },
    gzip: false,
  },
  environment: {
    platform: "linux",
    architecture: "x64",
    cpuModel: "model",
    cores: 2,
    memoryBytes: 8e9,
    nodeVersion: "v20.20.0",
    k6Version: "v2.2.0",
    k6Sha256: sha256,
    fingerprint: sha256,
  },
  outcome: "failed",
  exitCode: 1,
  summary: "the contract was violated under load: `no-done` 1 time",
  warnings: ["`first-match p50 < 8` was missed"],
  incomplete: [{ code: "invalid-load", message: "the generator was busy" }],
  complete: false,
  trust: {
    valid: false,
    checks: [{ check: "generator-cpu", ok: false, value: 0.9, limit: 0.85, unit: "fraction", sentence: "busy" }],
  },
  generator: { cpuSeconds: 1, wallSeconds: 2, cores: 2, maxRssBytes: 5e7, timerLagP99Ms: 1, timerLagMaxMs: 2 },
  outcomes: { stream: { ok: 600, violation: 1 } },
  violations: { "no-done": 1 },
  observations: { "data-first": 1 },
  metrics: [
    {
      metric: "first-match",
      arm: "a",
      count: 600,
      meanMs: 20,
      minMs: 10,
      maxMs: 40,
      later: { count: 1, longestMs: 60_000 },
      p50: percentile,
      p95: percentile,
      p99: percentile,
    },
  ],
  histograms: [
    {
      metric: "first-match",
      arm: "a",
      phase: "measure",
      count: 600,
      minMicros: 300,
      maxMicros: 301,
      sumMicros: 180_300,
      buckets: [[278, 600]],
      later: [[2168, 1]],
    },
  ],
  intervals: [
    { fromMs: 0, toMs: 1000, phase: "measure", arm: "a", planned: 2, ok: 1, failed: 1, p50Ms: 20, p95Ms: 20, later: 1 },
  ],
  thresholds: [
    {
      threshold: "first-match p95 < 800",
      severity: "warn",
      limitMs: 800,
      valueMs: 20,
      isLater: true,
      counts: { count: 600, over: 40, unknown: 1 },
      limitFraction: 0.99,
      valueFraction: 1,
      ok: true,
    },
  ],
  knee: { ratePerSecond: 1, sentence: "it bore 1 a second" },
  saturation: {
    notBegun: 3,
    heldBack: 1,
    maxVus: 20,
    fromMs: 12_000,
    growingFromMs: 4000,
    servedPerSecond: 1.5,
    sentence: "it took no more",
  },
  comparison: {
    design: "paired",
    preset: "standard",
    base: "http://127.0.0.1:3080",
    head: "http://127.0.0.1:3081",
    verdict: "inconclusive",
    summary: "nothing can be said",
    metrics: [
      {
        metric: "first-match p50",
        verdict: "inconclusive",
        base: 20,
        baseIsLater: true,
        head: 21,
        headIsLater: true,
        change: 0.05,
        low: -0.1,
        high: 0.2,
        confidence: 0.9975,
        margin: 0.05,
        detectable: 0.2,
        units: 30,
        unitsNeeded: 60,
        later: { base: { later: 1, of: 600 }, head: { later: 2, of: 600 } },
        note: "leans to worse",
      },
    ],
    failures: { baseFailed: 0, baseTotal: 600, headFailed: 1, headTotal: 600, pValue: 1, verdict: "unchanged" },
    queries: [{ query: "q1", change: 0.05, pValue: 0.4, worthALook: false }],
    incomparable: ["the machines differ"],
  },
  canary: {
    outcome: "failed",
    summary: "1 of 9 rules is violated",
    exchanges: 12,
    observedRules: 9,
    failed: [{ rule: "stream/done-is-last", message: "no `done`" }],
    folder: "canary",
  },
  cleanUp: { created: 3, removed: 2, left: ["x"] },
} as const satisfies LoadResult & Omit<Complete<LoadResult>, "outcomes" | "violations" | "observations" | "histograms">;
