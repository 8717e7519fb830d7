import { describe, expect, test } from "vitest";
import { planWith } from "../testing/load-fixtures.ts";
import { parseThreshold } from "./threshold.ts";
import { rejectTooShort } from "./reject-too-short.ts";

const options = { conversationRate: (rate: number) => rate / 10, maxRatePerSecond: Number.POSITIVE_INFINITY };
const plan = planWith({
  shape: "steady",
  ratePerSecond: 2,
  durationMs: 15_000,
  queries: [{ name: "test", text: "test" }],
});
const { blocks: _none, ...single } = plan;

describe("a load that is too short for a percentile", () => {
  test.each([
    {
      name: "names a duration and a rate that suffice",
      threshold: "first-match p95 < 800",
      given: single,
      says: "`first-match p95 < 800` needs 100 searches, and this load sends 30; use --duration 51s or --rate 7",
    },
    {
      name: "names no rate that the target may not get",
      threshold: "stream p99 < 800",
      given: single,
      maxRatePerSecond: 2,
      says: "`stream p99 < 800` needs 500 searches, and this load sends 30; use --duration 251s",
    },
    {
      name: "counts the conversations of a load that searches as well",
      threshold: "create p50 < 800",
      given: single,
      says: "`create p50 < 800` needs 20 conversations, and this load sends 3; use --duration 110s or --rate 15",
    },
    {
      name: "counts the searches of each target of a comparison",
      threshold: "first-match p95 < 800",
      given: { ...single, blocks: { pairs: 6, warmupPairs: 0, requestsPerBlock: 10, gapRequests: 1, seed: 1 } },
      says: "`first-match p95 < 800` needs 100 searches, and this load sends 60; use --duration 26s",
    },
    {
      name: "counts a rising rate by its mean",
      threshold: "first-match p95 < 800",
      given: { ...single, shape: "ramp" as const, ratePerSecond: 10 },
      says: "`first-match p95 < 800` needs 100 searches, and this load sends 83; use --duration 19s or --rate 13",
    },
  ])("$name", ({ threshold, given, says, maxRatePerSecond = options.maxRatePerSecond }) => {
    expect(() => rejectTooShort([parseThreshold(threshold)], given, { ...options, maxRatePerSecond })).toThrow(says);
  });

  test.each([
    { name: "that only warns", thresholds: [parseThreshold("first-match p95 < 800", "warn")] },
    { name: "whose number no plan knows", thresholds: [parseThreshold("poll p95 < 800")] },
    {
      name: "on the share that went well, a mean or a maximum",
      thresholds: ["ok-rate >= 1", "stream mean < 1s", "stream max < 1s"].map((text) => parseThreshold(text)),
    },
    { name: "that the plan has values enough for", thresholds: [parseThreshold("first-match p50 < 800")] },
  ])("is not refused for a threshold $name", ({ thresholds }) => {
    expect(() => rejectTooShort(thresholds, single, options)).not.toThrow();
  });

  test("the advice is enough", () => {
    const [, seconds = ""] = /--duration (\d+)s/u.exec(saidOf(single)) ?? [];
    expect(saidOf({ ...single, durationMs: Number(seconds) * 1000 })).toBe("");
  });
});

const saidOf = (given: typeof single): string => {
  try {
    rejectTooShort([parseThreshold("first-match p95 < 800")], given, options);
    return "";
  } catch (error) {
    return String(error);
  }
};
