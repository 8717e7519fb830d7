import type { Bundle, RecordedExchange } from "@assay/evidence";

/** A bundle in memory. */
export const bundleOf = (exchanges: readonly RecordedExchange[]): Bundle => ({
  manifest: {
    schemaVersion: 1,
    runId: "run-1",
    tool: { name: "assay", version: "0.0.0" },
    startedAt: "2026-01-02T03:04:05.000Z",
    target: { url: "http://code.example", access: "private", embedded: true },
    profile: "gate",
    seed: 1,
    rules: [],
    strict: false,
    digests: { catalogue: "0".repeat(64), openapi: "f".repeat(64) },
  },
  isComplete: true,
  problems: [],
  exchanges,
});
