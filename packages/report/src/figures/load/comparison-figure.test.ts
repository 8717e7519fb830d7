import type { Comparison } from "@assay/results";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { badNumbers, foreignAttributes, markupOf, textOf } from "../../testing/figure-markup.ts";
import { comparedOf, comparisonOf } from "../../testing/sample-load.ts";
import { ComparisonFigure } from "./comparison-figure.tsx";

const figureOf = (comparison: Comparison): string => markupOf(h(ComparisonFigure, { id: "c", comparison }));

test("a comparison begins with its verdict and sentence, then both sides", () => {
  expect(textOf(figureOf(comparisonOf({ summary: "regressed: p95 is slower" })))).toMatch(
    /^ ✗ slower first match p95 20\.4 → 26\.0 ms \(\+27\.5 %, interval \+20\.0 % to \+35\.0 %, margin 5 %\); no verdict on throughput paired, preset standard: base http:\/\/127\.0\.0\.1:3080 , head/u,
  );
});

test("each metric has verdict, values, change, interval, margin, detectable change and units", () => {
  const text = textOf(figureOf(comparisonOf()));
  expect(text).toContain(
    "first-match p95 ✗ regressed 20.4 ms → 26.0 ms +27.5 % margin 5 % · 7 % would have shown · 30 pairs",
  );
  expect(text).toContain("first-match p95 ✗ regressed 20.4 ms 26.0 ms +27.5 % [+20.0 %, +35.0 %] 99.67 % 5 % 7 % 30 -");
  expect(text).toContain("throughput: leans to worse; 12 more pairs needed in addition to the 30 measured");
  expect(text).toContain("Base and head are the medians of the blocks; the change is the Hodges-Lehmann estimate");
  expect(text).toContain("Lower is better for times, higher for throughput.");
  expect(text).toContain("✓ unchanged failed requests: 0 of 6000 in the base, 2 of 6000 in the head (p = 0.50)");
  expect(text).toContain("Queries worth a look: error +30.0 %");
});

test("a censored value is a lower bound, and the number of censored times is shown", () => {
  const { high: _high, ...open } = comparedOf();
  const censored = { base: { censored: 0, of: 600 }, head: { censored: 400, of: 600 } };
  const text = textOf(figureOf(comparisonOf({ metrics: [{ ...open, head: 60_000, headIsCensored: true, censored }] })));
  expect(text).toContain("→ > 60,000 ms");
  expect(text).toContain(
    "0 of 600 first matches in the base and 400 of 600 in the head had not arrived when measuring stopped",
  );
});

test.each([
  { name: "an unknown lower bound", row: { high: 0.3 }, shown: "[…, +30.0 %]", arrows: 1 },
  { name: "no bounds", row: {}, shown: "[…, …]", arrows: 2 },
  { name: "a bound beyond the plot", row: { low: -0.1, high: 400 }, shown: "[-10.0 %, +40000.0 %]", arrows: 1 },
  { name: "both ends", row: { low: -0.1, high: 0.1 }, shown: "[-10.0 %, +10.0 %]", arrows: 0 },
])("an interval with $name has $arrows arrows", ({ row, shown, arrows }) => {
  const { low: _low, high: _high, ...rest } = comparedOf();
  const markup = figureOf(comparisonOf({ metrics: [{ ...rest, ...row }] }));
  expect(textOf(markup)).toContain(shown);
  // An arrow is the only line through three points.
  expect((markup.match(/L[\d.]+,[\d.]+L/gu) ?? []).length).toBe(arrows);
  expect(badNumbers(markup)).toEqual([]);
});

describe("a comparison that is not possible", () => {
  const none = comparisonOf({
    verdict: "inconclusive",
    summary: "inconclusive: nothing can be said",
    metrics: [],
    queries: [],
    incomparable: ["the arrival rate differs", "the base has no runs"],
  });

  test("has every reason and no figure", () => {
    const markup = figureOf(none);
    expect(textOf(markup)).toContain(
      "? cannot be compared the arrival rate differs ? cannot be compared the base has no runs",
    );
    expect(textOf(markup)).toContain("No metric was compared.");
    expect(markup).not.toContain("<svg");
    expect(foreignAttributes(markup)).toEqual([]);
  });

  test("a metric without values says why it has no verdict", () => {
    const row = {
      metric: "poll p95",
      verdict: "inconclusive",
      confidence: 0.99,
      margin: 0.1,
      units: 0,
      note: "blocks have fewer than 100 searches",
    } as const;
    expect(textOf(figureOf(comparisonOf({ metrics: [row] })))).toContain(
      "no verdict: blocks have fewer than 100 searches",
    );
  });
});

test("an inconclusive metric has its reason and the measured values", () => {
  const text = textOf(figureOf(comparisonOf()));
  expect(text).toContain("throughput ? inconclusive 40.0/s → 39.6/s -1.0 % no verdict: 12 more pairs needed");
});
