import type {
  CallSample,
  ConversationSample,
  K6Summary,
  LoadEnvironment,
  LoadPlan,
  LoadResult,
  LoadSample,
  StreamSample,
} from "@assay/results";

/** A plan of a steady minute. */
export const planWith = (changes: Partial<LoadPlan> = {}): LoadPlan => ({
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://127.0.0.1:3080" },
  shape: "steady",
  ratePerSecond: 10,
  durationMs: 60_000,
  warmupMs: 5000,
  queries: [{ name: "q1", text: "one" }],
  timeoutMs: 60_000,
  maxEventBytes: 1_000_000,
  maxVus: 20,
  ...changes,
});

/** A stream planned at `planMs` that succeeded, with its first match 20 ms later. */
export const streamAt = (planMs: number, changes: Partial<StreamSample> = {}): StreamSample => ({
  kind: "stream",
  flow: "search",
  phase: "measure",
  side: "base",
  query: "q1",
  planMs,
  sendMs: planMs + 0.25,
  headersMs: planMs + 5,
  firstEventMs: planMs + 6,
  firstMatchMs: planMs + 20,
  endMs: planMs + 40,
  outcome: "ok",
  status: 200,
  events: 5,
  matches: 7,
  bytes: 900,
  ...changes,
});

/** A stream planned at `planMs` that failed. */
export const failedAt = (
  planMs: number,
  outcome: LoadSample["outcome"],
  changes: Partial<StreamSample> = {},
): StreamSample => {
  const {
    headersMs: _headers,
    firstEventMs: _event,
    firstMatchMs: _match,
    status: _status,
    ...rest
  } = streamAt(planMs);
  return { ...rest, outcome, events: 0, matches: 0, bytes: 0, ...changes };
};

/** A call planned at `planMs` that took 4 ms. */
export const callAt = (
  planMs: number,
  operation: CallSample["operation"],
  changes: Partial<CallSample> = {},
): CallSample => ({
  kind: "call",
  operation,
  flow: "conversation",
  phase: "measure",
  side: "base",
  query: "q1",
  planMs,
  sendMs: planMs + 0.5,
  endMs: planMs + 4,
  outcome: "ok",
  status: 200,
  ...changes,
});

/** A conversation planned at `planMs` that ended between 500 and 750 ms later. */
export const conversationAt = (planMs: number, changes: Partial<ConversationSample> = {}): ConversationSample => ({
  kind: "conversation",
  flow: "conversation",
  phase: "measure",
  side: "base",
  query: "q1",
  planMs,
  sendMs: planMs + 0.5,
  endMs: planMs + 750,
  outcome: "ok",
  state: "completed",
  lastOpenMs: planMs + 500,
  polls: 3,
  ...changes,
});

/** A generator that was idle. */
export const idleGenerator = {
  cpuSeconds: 2,
  wallSeconds: 65,
  cores: 2,
  maxRssBytes: 60_000_000,
  timerLagP99Ms: 1,
  timerLagMaxMs: 3,
} as const;

const tallied = (samples: readonly LoadSample[]): Pick<K6Summary, "outcomes" | "violations"> => {
  const outcomes: Record<string, number> = {};
  const violations: Record<string, number> = {};
  for (const sample of samples) {
    for (const [code, count] of Object.entries(sample.codes ?? {})) {
      violations[code] = (violations[code] ?? 0) + count;
    }
    if (sample.phase === "measure") {
      const name = `${sample.kind} ${sample.outcome}`;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    }
  }
  return { outcomes, violations };
};

/** The summary that k6 writes for samples. */
export const summaryOf = (
  plan: LoadPlan,
  samples: readonly LoadSample[],
  changes: Partial<K6Summary> = {},
): K6Summary => ({
  assay: "k6-summary",
  version: 1,
  k6Version: "v2.2.0",
  plan,
  scenarioSha256: "ab".repeat(32),
  testDurationMs: 65_000,
  droppedIterations: 0,
  iterations: samples.length,
  maxVus: 3,
  observations: { "data-first": 2 },
  generator: idleGenerator,
  thresholds: { "dropped_iterations count==0": true },
  ...tallied(samples),
  ...changes,
});

/** The lines of a samples file. */
export const samplesText = (samples: readonly LoadSample[], epochMs = 1_700_000_000_000): string =>
  [{ assay: "samples", version: 2, epochMs, k6Version: "v2.2.0" }, ...samples]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

/** A machine. */
export const environment: LoadEnvironment = {
  platform: "linux",
  architecture: "x64",
  cpuModel: "model",
  cores: 2,
  memoryBytes: 8_000_000_000,
  nodeVersion: "v20.20.0",
  k6Version: "v2.2.0",
  k6Sha256: "cd".repeat(32),
  fingerprint: "ef".repeat(32),
};

/** A run on a named target. */
export const runWith = (changes: Partial<LoadResult["run"]> = {}): LoadResult["run"] => ({
  id: "20260102-030405-abcd",
  startedAt: "2026-01-02T03:04:05.000Z",
  target: "http://127.0.0.1:3080",
  embedded: false,
  limits: "local",
  seed: 1,
  processes: 1,
  scenarioSha256: "ab".repeat(32),
  ...changes,
});
