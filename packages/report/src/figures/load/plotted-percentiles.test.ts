import { expect, test } from "vitest";
import { drawnLoad, risingHistogram } from "../../testing/figure-load.ts";
import { selectPlottedPercentiles } from "./plotted-percentiles.ts";

test("percentiles of the result are unchanged, the others are from the histogram", () => {
  const { metrics, histograms } = drawnLoad();
  const [metric] = metrics;
  const rules = selectPlottedPercentiles(histograms[0]!, metric);
  expect(rules).toMatchObject([
    { name: "p50", ...metric?.p50, isExact: true },
    { name: "p90", isExact: false },
    { name: "p95", ...metric?.p95, isExact: true },
    { name: "p99", ...metric?.p99, isExact: true },
  ]);
  // The 2,700th of the 3,000 latencies is 10 ms and 2,699 tenths.
  expect(Math.abs((rules[1]?.value ?? 0) / 279.9 - 1)).toBeLessThan(0.004);
});

test.each([
  { name: "without samples has none", count: 0, names: [] },
  { name: "with one sample has none", count: 1, names: [] },
  { name: "with 50 samples has p90", count: 50, names: ["p90"] },
  { name: "with 5,000 samples has p99.9", count: 5000, names: ["p90", "p99.9"] },
])("a histogram $name of its own", ({ count, names }) => {
  expect(selectPlottedPercentiles(risingHistogram(count), undefined).map(({ name }) => name)).toEqual(names);
});
