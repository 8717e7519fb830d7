import { expect, test } from "vitest";
import { counted, formatDuration, formatSize } from "./counted.ts";

test.each([
  [0, "0 rules"],
  [1, "1 rule"],
  [2, "2 rules"],
  [12_000, "12,000 rules"],
])("%i: %s", (count, text) => {
  expect(counted(count, "rule")).toBe(text);
});

test("counted uses an irregular plural", () => {
  expect([counted(1, "match", "matches"), counted(2, "match", "matches")]).toEqual(["1 match", "2 matches"]);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [12_400, "12.4 kB"],
  [1_235_000, "1.24 MB"],
  [9_876_543_210, "9.88 GB"],
  [1e15, "1000000 GB"],
])("%i bytes: %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test.each([
  [0, "0 µs"],
  [480.4, "480 µs"],
  [12_400, "12.4 ms"],
  [3_214_000, "3.21 s"],
])("%i µs: %s", (micros, text) => {
  expect(formatDuration(micros)).toBe(text);
});
