import type { LoadResult } from "@assay/results";
import { h } from "preact";
import { expect, test } from "vitest";
import { badNumbers, foreignTags, markupOf, repeatedIds, textOf } from "../../testing/figure-markup.ts";
import { loadOf, sampleLoad } from "../../testing/sample-load.ts";
import { LoadTrend } from "./load-trend.tsx";

const runOf = (day: number, changes: Partial<LoadResult> = {}): LoadResult =>
  loadOf({ run: { ...sampleLoad.run, id: `run-${day}`, startedAt: `2026-01-0${day}T03:04:05.000Z` }, ...changes });

const trendOf = (loads: readonly LoadResult[]): string => markupOf(h(LoadTrend, { id: "t", loads }));
const trust = { valid: false, checks: [] };

test("a trend is in the order of start times, with the values of every run", () => {
  const markup = trendOf([runOf(3), runOf(1), runOf(2)]);
  const text = textOf(markup);
  expect(text).toMatch(
    /2026-01-01 03:04 run-1 ✓ passed 12\.4 \[11\.2, 13\.6\] 24\.8 \[18\.6, 31\.0\] 1\.67 % \(2 of 120\) 2026-01-02 03:04 run-2/u,
  );
  expect(badNumbers(markup)).toEqual([]);
  expect(foreignTags(markup)).toEqual([]);
});

test("an invalid run is hollow, not joined to others, and marked as invalid", () => {
  const all = trendOf([runOf(1), runOf(2), runOf(3)]);
  const markup = trendOf([runOf(1), runOf(2, { trust }), runOf(3)]);
  const lines = (one: string): readonly number[] =>
    (one.match(/<path d="M[^"]*L[^"]*"/gu) ?? []).map((path) => path.split("L").length);
  // Three panels, each for a wide and for a narrow page.
  expect(lines(all)).toEqual([3, 3, 3, 3, 3, 3]);
  expect(lines(markup)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(markup.match(/<circle[^>]*fill="none"/gu)?.length).toBe(6);
  expect(textOf(markup)).toContain("run run-2: 12.4 [11.2, 13.6], invalid: do not use");
  expect(textOf(markup)).toContain("Hollow: 1 run whose figures are not to be used");
});

test("runs that cannot be compared are drawn separately, with the reason", () => {
  const other = { plan: { ...sampleLoad.plan, ratePerSecond: 7 } };
  const markup = trendOf([runOf(1), runOf(2), runOf(3, other), runOf(4, other)]);
  expect(markup.split('<svg class="fig-wide"').length - 1).toBe(2);
  expect(textOf(markup)).toContain("(2 runs): arrival rate: 7.00/s there, 2.00/s here");
  expect(textOf(markup)).toContain("4 runs make 2 trends, each of runs that were made alike.");
  expect(repeatedIds(markup)).toEqual([]);
});

test("many different runs have one paragraph and a folded list, without a figure", () => {
  const rates = Array.from({ length: 70 }, (_, index) => ({ plan: { ...sampleLoad.plan, ratePerSecond: index + 1 } }));
  const markup = trendOf(rates.map((plan) => runOf(1, plan)));
  const [before = "", folded = ""] = markup.split("<details>");
  expect(textOf(before).trim()).toBe("No two runs are comparable, and a trend needs at least two.");
  expect(folded.split("<li>")).toHaveLength(51);
  expect(textOf(folded)).toContain("and 19 more of them");
});

test.each([
  { name: "no run", loads: [], says: "There is no load run on one target" },
  { name: "one run", loads: [runOf(1)], says: "No two runs are comparable" },
  {
    name: "a run on two targets",
    loads: [runOf(1, { run: { ...sampleLoad.run, against: "http://127.0.0.1:1" } })],
    says: "1 run on two targets left out",
  },
])("$name makes no trend, and the page explains it", ({ loads, says }) => {
  expect(trendOf(loads)).not.toContain("<svg");
  expect(textOf(trendOf(loads))).toContain(says);
});

test("of many runs the latest are drawn, and the others are counted", () => {
  const loads = Array.from({ length: 200 }, (_, index) =>
    runOf(1, { run: { ...sampleLoad.run, id: `run-${index}`, startedAt: `2026-01-01T00:00:00.${index}Z` } }),
  );
  expect(textOf(trendOf(loads))).toContain("140 earlier runs left out");
  expect(trendOf(loads).length).toBeLessThan(115_000);
});
