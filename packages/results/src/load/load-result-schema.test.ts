import { createChecker } from "@assay/reading";
import { describe, expect, test } from "vitest";
import { exitCodeOf, outcomePrecedence } from "../exit-codes.ts";
import { completeLoadResult } from "../testing/complete-load-result.ts";
import { LoadResultShape } from "./load-result.ts";

const { fits, problem } = createChecker(LoadResultShape);

/** The required members of a result. */
const {
  generator: _generator,
  knee: _knee,
  saturation: _saturation,
  warnings: _warnings,
  comparison: _comparison,
  canary: _canary,
  judgement: _judgement,
  cleanUp: _cleanUp,
  ...bare
} = completeLoadResult;
const green = {
  ...bare,
  outcome: "passed",
  exitCode: 0,
  incomplete: [],
  complete: true,
  violations: {},
  trust: { valid: true, checks: [] },
  metrics: [{ metric: "poll", side: "head", count: 1, meanMs: 1, minMs: 1, maxMs: 1 }],
};

test("the schema describes a result without optional members", () => {
  expect(problem(green)).toBeUndefined();
});

test("the schema describes a metric without finished requests", () => {
  const never = { ...green.metrics[0], count: 0, censored: { count: 3, longestMs: 1 } };
  expect(problem({ ...green, metrics: [never] })).toBeUndefined();
});

test.each(outcomePrecedence)("the outcome %s has only its own exit code", (outcome) => {
  const result = { ...green, incomplete: outcome === "incomplete" ? bare.incomplete : [], outcome };
  expect(fits({ ...result, exitCode: exitCodeOf(outcome) })).toBe(true);
  expect(fits({ ...result, exitCode: 97 })).toBe(false);
  expect(outcomePrecedence.filter((other) => fits({ ...result, exitCode: exitCodeOf(other) }))).toEqual([outcome]);
});

describe("the schema refuses", () => {
  test.each<[string, object]>([
    ["an unknown member", { ...green, extra: 1 }],
    ["another version", { ...green, schemaVersion: 3 }],
    ["a run that passed and is invalid", { ...green, trust: { valid: false, checks: [] } }],
    ["a run that passed and is incomplete", { ...green, incomplete: bare.incomplete }],
    ["a run that passed and ended early", { ...green, complete: false }],
    ["a run that passed with a violation", { ...green, violations: { "no-done": 1 } }],
    [
      "a regression of an invalid run",
      { ...green, outcome: "performance-failed", exitCode: 4, trust: { valid: false, checks: [] }, thresholds: [] },
    ],
    ["an incomplete run without a reason", { ...green, outcome: "incomplete", exitCode: 3 }],
    ["an unknown outcome of samples", { ...green, outcomes: { stream: { fine: 1 } } }],
    ["a percentile without a value", { ...green, metrics: [{ ...bare.metrics[0], p50: { low: 1 } }] }],
    ["a metric without samples", { ...green, metrics: [{ ...green.metrics[0], count: 0 }] }],
    ["an empty bucket", { ...green, histograms: [{ ...bare.histograms[0], buckets: [[3, 0]] }] }],
    ["a bucket without a count", { ...green, histograms: [{ ...bare.histograms[0], buckets: [[3]] }] }],
    ["a share above 1", { ...green, thresholds: [{ threshold: "ok-rate > 1", valueFraction: 1.2 }] }],
    ["a malformed digest", { ...green, run: { ...bare.run, scenarioSha256: "x" } }],
  ])("%s", (_name, value) => {
    expect(fits(value)).toBe(false);
  });
});
