import type { LoadResult } from "@assay/results";
import { describe, expect, test } from "vitest";
import { loadOf, sampleLoad } from "../../testing/sample-load.ts";
import { describeGroupDifferences, createTrendGroups } from "./trend-groups.ts";

const runOf = (id: string, day: number, changes: Partial<LoadResult> = {}): LoadResult =>
  loadOf({ ...changes, run: { ...sampleLoad.run, ...changes.run, id, startedAt: `2026-01-0${day}T00:00:00.000Z` } });

const idsOf = (loads: readonly LoadResult[]): readonly (readonly string[])[] =>
  createTrendGroups(loads).map((group) => group.loads.map(({ run }) => run.id));

describe("runs are joined", () => {
  test("in the order of their start times", () => {
    expect(idsOf([runOf("c", 3), runOf("a", 1), runOf("b", 2)])).toEqual([["a", "b", "c"]]);
  });

  test.each([
    {
      name: "another rate",
      changes: { plan: { ...sampleLoad.plan, ratePerSecond: 5 } },
      says: "arrival rate: 2.00/s there, 5.00/s here",
    },
    {
      name: "another scenario",
      changes: { plan: { ...sampleLoad.plan, scenario: "mixed" } },
      says: "scenario: search-first-match there, mixed here",
    },
    {
      name: "another machine",
      changes: { environment: { ...sampleLoad.environment, fingerprint: "3".repeat(64) } },
      says: "environment: 4 × Example CPU, k6 v2.2.0, 222222222222 there, 4 × Example CPU, k6 v2.2.0, 333333333333 here",
    },
    {
      name: "other queries",
      changes: { plan: { ...sampleLoad.plan, queries: [{ name: "error", text: "other" }] } },
      says: "list of queries: not the same",
    },
    {
      name: "another target",
      changes: { run: { ...sampleLoad.run, embedded: false, target: "https://example.test" } },
      says: "target: the embedded reference server there, https://example.test here",
    },
  ])("never with a run of $name, and the reason is named", ({ changes, says }) => {
    const groups = createTrendGroups([runOf("a", 1), runOf("b", 2), runOf("x", 3, changes)]);
    expect(groups.map(({ loads }) => loads.map(({ run }) => run.id))).toEqual([["x"], ["a", "b"]]);
    expect(describeGroupDifferences(groups[0]!, groups[1]!)).toContain(says);
  });

  test("never with a run on two targets", () => {
    const paired = runOf("p", 2, { run: { ...sampleLoad.run, against: "http://127.0.0.1:1" } });
    expect(idsOf([runOf("a", 1), paired])).toEqual([["a"]]);
  });

  test("also with a run without measurements, which has no mark", () => {
    const groups = createTrendGroups([runOf("a", 1, { metrics: [] }), runOf("b", 2)]);
    expect(groups.map(({ loads, metric }) => [loads.length, metric])).toEqual([[2, "first-match"]]);
  });
});
