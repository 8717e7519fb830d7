import type { LoadSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAt, failedAt, streamAt } from "../testing/load-fixtures.ts";
import { createDistressWatch } from "./distress.ts";

const endingAt = (endMs: number, outcome: LoadSample["outcome"]): LoadSample => failedAt(endMs, outcome, { endMs });
const times = (count: number, stepMs: number, outcome: LoadSample["outcome"] = "distress"): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, index) => endingAt(index * stepMs, outcome));
/** Index of the sample that ends the run; -1 when none does. */
const endsAt = (samples: readonly LoadSample[]): number => {
  const watch = createDistressWatch();
  return samples.map((sample) => watch.add(sample)).findIndex((sentence) => sentence !== undefined);
};

describe("a target is left alone", () => {
  test.each<[string, readonly LoadSample[], number]>([
    ["after 20 failures in a row", times(30, 100), 19],
    ["not after 19", times(19, 100), -1],
    ["not for a moment, however many fail in it", times(60, 10), -1],
    ["once a row of many has lasted a second", times(150, 10), 100],
    ["after 10 s with nothing but failures, be they few", times(5, 5000, "timeout"), 2],
    ["not for two failures 10 s notAlternating", times(2, 20_000), -1],
    ["when it refuses all", times(30, 100, "refused"), 19],
    ["not because it violates the contract", times(90, 100, "violation"), -1],
    ["not because of what was never sent", times(90, 100, "held-back"), -1],
    [
      "although requests are held back in between",
      times(40, 100).flatMap((one) => [one, endingAt(one.endMs, "held-back")]),
      38,
    ],
    [
      "not when something goes well in between",
      times(90, 100).flatMap((one, at) => (at % 15 === 0 ? [one, streamAt(0)] : [one])),
      -1,
    ],
    ["also for calls", Array.from({ length: 25 }, (_n, at) => callAt(at * 100, "poll", { outcome: "bad-status" })), 19],
  ])("%s", (_name, samples, index) => {
    expect(endsAt(samples)).toBe(index);
  });
});
