import type { FooterInfo } from "@assay/evidence";
import { planProbes, findProfile } from "@assay/runner";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countCanaryRounds,
  countCanaryStreams,
  adviseLongerLoad,
  spreadEvenly,
  rotateProbes,
} from "./canary-schedule.ts";

test.each([
  [3000, 3],
  [15_000, 3],
  [60_000, 6],
  [600_000, 60],
  [24 * 3_600_000, 2000],
])("during a load of %i ms, %i streams are checked", (durationMs, count) => {
  expect(countCanaryStreams(durationMs)).toBe(count);
});

test.each([
  { durationMs: 3000, questions: Number.POSITIVE_INFINITY, rounds: 1 },
  { durationMs: 240_000, questions: Number.POSITIVE_INFINITY, rounds: 4 },
  { durationMs: 240_000, questions: 5, rounds: 2 },
  { durationMs: 240_000, questions: 1, rounds: 0 },
  { durationMs: 240_000, questions: 0, rounds: 0 },
])("with $questions questions during $durationMs ms, $rounds conversations run on each of two interfaces", (row) => {
  expect(countCanaryRounds(row.durationMs, row.questions, 2)).toBe(row.rounds);
});

test("times are even, in order and within the run", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e7 }), fc.integer({ min: 1, max: 200 }), (durationMs, count) => {
      const times = spreadEvenly(durationMs, count);
      expect(times).toHaveLength(count);
      expect(times.every((time, index) => time > (times[index - 1] ?? -1) && time < durationMs)).toBe(true);
    }),
  );
});

describe("the probes of a canary", () => {
  const { probes } = planProbes(findProfile("smoke").rules, "test");

  test("are those of the main user, the plain search first, each equally often", () => {
    const chosen = rotateProbes(probes, 20);
    expect(chosen[0]?.id).toBe("search");
    expect(chosen).toHaveLength(20);
    expect(chosen.filter(({ credential }) => credential !== "main")).toEqual([]);
    const counts = [...new Set(chosen.map(({ id }) => id))].map(
      (id) => chosen.filter((probe) => probe.id === id).length,
    );
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  test("are empty without probes", () => {
    expect(rotateProbes([], 5)).toEqual([]);
  });
});

describe("the end of a canary", () => {
  test("after a timeout names the flag of a load, and no flag of other commands", () => {
    const stopped: FooterInfo = {
      ended: "stopped",
      cause: "deadline",
      reason: "allow more with --timeout",
      left: "one",
    };
    expect(adviseLongerLoad(stopped)).toEqual({
      ended: "stopped",
      cause: "deadline",
      reason: "the load ended before all canary requests were answered; use a longer --duration",
      left: "one",
    });
  });

  test.each<[string, FooterInfo]>([
    ["complete", { ended: "complete" }],
    ["ended by somebody", { ended: "interrupted", reason: "SIGINT" }],
    ["ended by the target", { ended: "stopped", cause: "broken-searches", reason: "it asked for fewer" }],
  ])("that is %s is unchanged", (_name, footer) => {
    expect(adviseLongerLoad(footer)).toEqual(footer);
  });
});
