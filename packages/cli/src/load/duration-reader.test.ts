import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { durationReader } from "./duration-reader.ts";

const { read } = durationReader({ minMs: 0, maxMs: 24 * 3_600_000 });

test.each([
  ["500ms", 500],
  ["15s", 15_000],
  ["0.5s", 500],
  ["2m", 120_000],
  ["1.5h", 5_400_000],
  ["24h", 86_400_000],
  ["0s", 0],
])("%s is %i ms", (text, ms) => {
  expect(read(text)).toBe(ms);
});

test.each(["", "15", "s", "-1s", "1d", "25h", "1e3s", "1 s", "15S", "1.2345s", "9".repeat(400), "NaNs"])(
  "`%s` is not a duration",
  (text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  },
);

test("a duration that is too short is refused with the bounds", () => {
  expect(() => durationReader({ minMs: 1000, maxMs: 3_600_000 }).read("900ms")).toThrow(/from 1s to 1h/u);
});
