import { expect, test } from "vitest";
import type { LoadThreshold } from "./load-result.ts";
import { describeMeasurement, formatTime } from "./threshold-words.ts";

const counts = { count: 50, over: 44, unknown: 0 };

test.each<[string, Omit<LoadThreshold, "threshold">]>([
  ["", {}],
  ["12.5 ms", { valueMs: 12.5, counts, ok: true }],
  ["50 %", { valueFraction: 0.5, ok: false }],
  ["98.99 %", { valueFraction: 0.98999, ok: false }],
  ["> 42.0 s; 44 of 50 over it", { valueMs: 42_000, isCensored: true, counts, ok: false }],
  ["44 of 50 over it", { counts, ok: false }],
  ["912.0 ms; 44 of 50 over it, which may be chance", { valueMs: 912, counts }],
  ["at least 44 of 50 over it, 3 not watched that long", { counts: { ...counts, unknown: 3 }, ok: false }],
  ["at least 44 of 50 over it, 3 not watched that long", { counts: { ...counts, unknown: 3 } }],
])("%s", (words, threshold) => {
  expect(describeMeasurement({ threshold: "first-match p95 < 800", ...threshold })).toBe(words);
});

test.each([
  [0, "0.0 ms"],
  [9999, "9999.0 ms"],
  [10_000, "10.0 s"],
])("%d ms is %s", (ms, text) => {
  expect(formatTime(ms)).toBe(text);
});
