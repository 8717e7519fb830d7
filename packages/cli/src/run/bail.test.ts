import type { RunResult } from "@assay/results";
import { expect, test } from "vitest";
import { createBail } from "./bail.ts";

/** A result in which these rules failed, of which only the verdicts are read. */
const resultWith = (rules: readonly string[]): RunResult =>
  JSON.parse(
    JSON.stringify({ verdicts: rules.map((rule) => ({ rule, verdict: { outcome: "failed", findings: [] } })) }),
  );

test("judging costs a quarter of the time at most, but before questions it is always judged", async () => {
  let nowMs = 0;
  let judged = 0;
  const reasonToStop = createBail({
    maxFailed: 2,
    strict: false,
    nowMs: () => nowMs,
    judge: async () => {
      judged += 1;
      nowMs += 100;
      return { result: resultWith(judged < 4 ? ["a/b"] : ["a/b", "c/d"]), notes: [], isFinished: false };
    },
  });
  const judgedAt = async (atMs: number, next: "searches" | "questions" | "calls" = "searches") => {
    nowMs = atMs;
    return [await reasonToStop(next), judged];
  };
  expect(await judgedAt(0)).toEqual([undefined, 1]);
  expect(await judgedAt(399)).toEqual([undefined, 1]);
  expect(await judgedAt(400)).toEqual([undefined, 2]);
  expect(await judgedAt(501, "calls")).toEqual([undefined, 2]);
  expect(await judgedAt(501, "questions")).toEqual([undefined, 3]);
  expect(await judgedAt(901)).toEqual(["--bail stopped the run, because 2 rules failed: a/b, c/d", 4]);
});
