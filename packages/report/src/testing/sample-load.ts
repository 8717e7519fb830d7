import { defined } from "@assay/contract";
import type { Comparison, LoadJudgement, LoadPlan, LoadResult, MetricComparison } from "@assay/results";

const plan: LoadPlan = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://127.0.0.1:3080" },
  shape: "steady",
  ratePerSecond: 2,
  durationMs: 60_000,
  warmupMs: 10_000,
  queries: [{ name: "error", text: "error" }],
  timeoutMs: 60_000,
  maxEventBytes: 64 * 1024 * 1024,
  maxVus: 500,
};

const metric = (name: "first-match" | "stream", count: number, medianMs: number) =>
  ({
    metric: name,
    side: "base",
    count,
    meanMs: medianMs,
    minMs: medianMs / 2,
    maxMs: medianMs * 3,
    p50: { value: medianMs, low: medianMs * 0.9, high: medianMs * 1.1 },
    ...(count >= 100 ? { p95: { value: medianMs * 2, low: medianMs * 1.5, high: medianMs * 2.5 } } : {}),
  }) as const;

/** A load run that passed. */
export const sampleLoad: LoadResult = {
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: {
    id: "20260102T030405Z-abcdef",
    startedAt: "2026-01-02T03:04:05.000Z",
    target: "http://127.0.0.1:3080",
    embedded: true,
    limits: "local",
    seed: 42,
    processes: 1,
    scenarioSha256: "0".repeat(64),
  },
  plan,
  environment: {
    platform: "linux",
    architecture: "x64",
    cpuModel: "Example CPU",
    cores: 4,
    memoryBytes: 8_000_000_000,
    nodeVersion: "20.20.0",
    k6Version: "v2.2.0",
    k6Sha256: "1".repeat(64),
    fingerprint: "2".repeat(64),
  },
  outcome: "passed",
  exitCode: 0,
  summary: "120 streams were measured and the contract holds",
  incomplete: [],
  complete: true,
  trust: {
    valid: true,
    checks: [
      { check: "dropped-iterations", ok: true, value: 0, limit: 0, unit: "count", sentence: "nothing was left out" },
      { check: "start-lag", ok: true, value: 0.4, limit: 2, unit: "ms", sentence: "requests left on time" },
      { check: "warm-up-is-flat", sentence: "too few stretches to see a trend" },
    ],
  },
  generator: {
    cpuSeconds: 6,
    wallSeconds: 70,
    cores: 4,
    maxRssBytes: 80_000_000,
    timerLagP99Ms: 0.3,
    timerLagMaxMs: 2,
  },
  outcomes: { stream: { ok: 118, timeout: 2 } },
  violations: {},
  observations: { "field-order": 118 },
  metrics: [metric("first-match", 118, 12.4), metric("stream", 42, 1204)],
  histograms: [],
  intervals: [10, 12, undefined, 40].map((p50Ms, index) => ({
    fromMs: index * 1000,
    toMs: (index + 1) * 1000,
    phase: "measure" as const,
    side: "base" as const,
    planned: 2,
    ok: 2,
    failed: 0,
    ...defined({ p50Ms }),
  })),
  thresholds: [{ threshold: "first-match p95 < 800", limitMs: 800, valueMs: 24.8, ok: true }],
  canary: { outcome: "passed", summary: "all hold", exchanges: 9, observedRules: 41, failed: [], folder: "canary" },
};

/** The sample load run with changes. */
export const loadOf = (changes: Partial<LoadResult> = {}): LoadResult => ({ ...sampleLoad, ...changes });

/** A complete judgement in which one rule failed under load, with changes. */
export const judgementOf = (changes: Partial<LoadJudgement> = {}): LoadJudgement => ({
  groups: [{ group: "search", sent: 200, judged: 200, brokenOff: 0, unanswered: 0, thinnedOut: 0, lost: 0 }],
  rules: [
    { rule: "stream/done-is-last", outcome: "failed" },
    { rule: "stream/duration-never-falls", outcome: "warned", reason: "the duration fell" },
    { rule: "stream/two-fields", outcome: "passed", confirmed: true },
    { rule: "stream/data-is-json", outcome: "passed", confirmed: true },
    { rule: "stream/alert-is-an-object", outcome: "not-tested", reason: "no alert came" },
    { rule: "stream/count-stops-search", outcome: "compares-searches" },
  ],
  broken: [
    {
      rule: "stream/done-is-last",
      title: "`done` is the last event of a stream",
      violations: 1200,
      message: "no `done`",
      exchange: "e17",
      atSeconds: 41,
      phase: "measure",
      query: "literal",
      inFlight: 96,
      ratePerSecond: 100,
      dependence: "under-load",
    },
  ],
  unloaded: 8,
  sentence: "200 of 200 exchanges were checked",
  keptBytes: 1000,
  capBytes: 2000,
  problems: [],
  ...changes,
});

/** An unchanged metric of a comparison, with changes. */
export const comparedOf = (changes: Partial<MetricComparison> = {}): MetricComparison => ({
  metric: "first-match p50",
  verdict: "unchanged",
  base: 12.4,
  head: 12.5,
  change: 0.008,
  low: -0.012,
  high: 0.028,
  confidence: 0.9967,
  margin: 0.05,
  detectable: 0.07,
  units: 30,
  ...changes,
});

/** A comparison with a regressed, an inconclusive and an unchanged metric, with changes. */
export const comparisonOf = (changes: Partial<Comparison> = {}): Comparison => ({
  design: "paired",
  preset: "standard",
  base: "http://127.0.0.1:3080",
  head: "http://127.0.0.1:3081",
  verdict: "regressed",
  summary: "first-match p95 became slower",
  metrics: [
    comparedOf(),
    comparedOf({
      metric: "first-match p95",
      verdict: "regressed",
      base: 20.4,
      head: 26,
      change: 0.275,
      low: 0.2,
      high: 0.35,
    }),
    comparedOf({
      metric: "throughput",
      verdict: "inconclusive",
      base: 40,
      head: 39.6,
      change: -0.01,
      low: -0.2,
      unitsNeeded: 12,
      note: "leans to worse",
    }),
  ],
  failures: { baseFailed: 0, baseTotal: 6000, headFailed: 2, headTotal: 6000, pValue: 0.5, verdict: "unchanged" },
  queries: [
    { query: "error", change: 0.3, pValue: 0.001, worthALook: true },
    { query: "import", change: 0.01, pValue: 0.5, worthALook: false },
  ],
  incomparable: [],
  ...changes,
});
