import type { LoadPlan } from "@assay/results";

/** A plan of searches. */
export const examplePlan: LoadPlan = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://search.example" },
  shape: "steady",
  ratePerSecond: 4,
  durationMs: 10_000,
  warmupMs: 1000,
  queries: [{ name: "identifier", text: "createServer" }],
  timeoutMs: 60_000,
  maxEventBytes: 67_108_864,
  maxVus: 50,
};
