import type { LoadResult } from "@assay/results";
import { h } from "preact";
import { expect, test } from "vitest";
import { markupOf, textOf } from "../../testing/figure-markup.ts";
import { loadOf, sampleLoad } from "../../testing/sample-load.ts";
import { LoadDifferences } from "./load-differences.tsx";

const runOf = (tail: string, changes: Partial<LoadResult> = {}): LoadResult =>
  loadOf({ run: { ...sampleLoad.run, id: `20260102T030405Z-${tail}` }, ...changes });

const textsOf = (loads: readonly LoadResult[]): readonly string[] =>
  markupOf(h(LoadDifferences, { loads })).split("<details").map(textOf);

test("different facts are visible, the verdict first, and equal ones are folded", () => {
  const missed = { threshold: "first-match p95 < 8", limitMs: 8, valueMs: 24.8, ok: false };
  const failed = { outcome: "performance-failed", exitCode: 4, thresholds: [missed] } as const;
  const [open, folded] = textsOf([runOf("aaaaaa"), runOf("bbbbbb", failed)]);
  expect(open?.replaceAll("&lt;", "<").replaceAll(/\s+/gu, " ").trim()).toBe(
    "What differs fact aaaaaa bbbbbb verdict ✓ passed ✗ performance failed first-match p95 < 800 ✓ passed: 24.8 ms not set first-match p95 < 8 not set ✗ failed: 24.8 ms",
  );
  expect(folded).toContain("failed requests 2 2");
});

test("of many loads the last ones are compared, and the caption counts them", () => {
  const loads = ["aaaaaa", "bbbbbb", "cccccc", "dddddd", "eeeeee"].map((tail, at) =>
    runOf(tail, { plan: { ...sampleLoad.plan, ratePerSecond: at + 1 } }),
  );
  const [open] = textsOf(loads);
  expect(open).toContain("What differs (the last 4 of 5 loads)");
  expect(open).toContain("arrival rate 2.00/s 3.00/s 4.00/s 5.00/s");
  expect(open).not.toContain("aaaaaa");
});
