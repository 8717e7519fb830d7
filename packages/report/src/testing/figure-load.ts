import type { LoadSide } from "@assay/contract";
import {
  createHistogram,
  histogramQuantile,
  type LoadHistogram,
  type LoadInterval,
  type LoadResult,
} from "@assay/results";
import { loadOf } from "./sample-load.ts";

/** `count` latencies in microseconds, from 10 ms in steps of 0.1 ms. */
const rising = (count: number, factor: number): number[] =>
  Array.from({ length: count }, (_, index) => factor * (10_000 + 100 * index));

/** The measured histogram of `first-match` of a side with `count` rising latencies. */
export const risingHistogram = (count: number, side: LoadSide = "base"): LoadHistogram =>
  createHistogram({ metric: "first-match", side, phase: "measure" }, rising(count, side === "base" ? 1 : 1.2));

/** `count` intervals of a second, the first three of them warm-up; every seventh has a failure. */
export const intervalsOf = (count: number, side: LoadSide = "base"): readonly LoadInterval[] =>
  Array.from({ length: count }, (_, index) => ({
    fromMs: index * 1000,
    toMs: (index + 1) * 1000,
    phase: index < 3 ? "warmup" : "measure",
    side,
    planned: 50,
    ok: index % 7 === 6 ? 49 : 50,
    failed: index % 7 === 6 ? 1 : 0,
    p50Ms: 12 + (index % 5),
    p95Ms: 40 + (index % 11),
  }));

const percentile = (histogram: LoadHistogram, fraction: number) => {
  const value = (histogramQuantile(histogram, fraction) ?? 0) / 1000;
  return { value: value + 0.017, low: value * 0.97, high: value * 1.04 };
};

/** A load run with data for all figures: histograms, intervals, and percentiles slightly different from the histogram. */
export const drawnLoad = (changes: Partial<LoadResult> = {}): LoadResult => {
  const histogram = risingHistogram(3000);
  return loadOf({
    plan: { ...loadOf().plan, ratePerSecond: 50, durationMs: 60_000, warmupMs: 3000 },
    histograms: [histogram],
    intervals: intervalsOf(63),
    metrics: [
      {
        metric: "first-match",
        side: "base",
        count: 3000,
        meanMs: 159.95,
        minMs: 10,
        maxMs: 309.9,
        p50: percentile(histogram, 0.5),
        p95: percentile(histogram, 0.95),
        p99: percentile(histogram, 0.99),
      },
    ],
    ...changes,
  });
};
