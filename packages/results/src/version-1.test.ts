import { createChecker } from "@assay/reading";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { LoadResultShape } from "./load/load-result.ts";
import { RunResultShape } from "./run-result.ts";
import { upgradeFromVersion1 } from "./version-1.ts";

/** Files that an Assay with schema version 1 wrote. */
const stored = (name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(new URL(`../fixtures/version-1/${name}.json.gz`, import.meta.url))).toString());

/** How often a text stands in the JSON of a value. */
const timesIn = (value: unknown, text: string): number => JSON.stringify(value).split(text).length - 1;

test.each([
  { file: "verdicts", checker: createChecker(RunResultShape) },
  { file: "load", checker: createChecker(LoadResultShape) },
  { file: "comparison", checker: createChecker(LoadResultShape) },
])("a stored $file of version 1 fits the shape of version 2", ({ file, checker }) => {
  expect(checker.problem(stored(file))).not.toBeUndefined();
  expect(checker.problem(upgradeFromVersion1(stored(file)))).toBeUndefined();
});

test("every verdict keeps its meaning under its new name", () => {
  const before = stored("verdicts");
  const now = upgradeFromVersion1(before);
  for (const [old, name] of [
    ['"outcome":"not-observed"', '"outcome":"not-tested"'],
    ['"outcome":"could-not-run"', '"outcome":"blocked"'],
    ['"kind":"observation"', '"kind":"note"'],
    ['"arm":', '"mutation":'],
    ['"sentences":', '"requirements":'],
  ] as const) {
    expect([timesIn(now, old), timesIn(now, name)]).toEqual([0, timesIn(before, old)]);
  }
});

test.each(["load", "comparison"])("a %s has the sides base and head instead of the arms a and b", (file) => {
  const before = stored(file);
  const now = upgradeFromVersion1(before);
  for (const [old, name] of [
    ['"arm":"a"', '"side":"base"'],
    ['"arm":"b"', '"side":"head"'],
    ['"targets":{"a":', '"targets":{"base":'],
    ['"arms-end-alike"', '"sides-end-alike"'],
  ] as const) {
    expect([timesIn(now, old), timesIn(now, name)]).toEqual([0, timesIn(before, old)]);
  }
});

test("thresholds that decide are decisive, and times that are later are censored", () => {
  const later = { base: { later: 1, of: 600 }, head: { later: 2, of: 600 } };
  const censored = { base: { censored: 1, of: 600 }, head: { censored: 2, of: 600 } };
  expect(
    upgradeFromVersion1({
      schemaVersion: 1,
      thresholds: [{ threshold: "ok-rate >= 0.99", stands: true, isLater: true }],
      comparison: { metrics: [{ baseIsLater: true, headIsLater: true, later }] },
    }),
  ).toEqual({
    schemaVersion: 2,
    thresholds: [{ threshold: "ok-rate >= 0.99", decisive: true, isCensored: true }],
    comparison: { metrics: [{ baseIsCensored: true, headIsCensored: true, censored }] },
  });
});

test.each([{ schemaVersion: 2, sentences: [] }, { schemaVersion: 3, gaps: [] }, [], "not-observed", null, 1])(
  "%j is no version 1 and stays as it is",
  (value) => {
    expect(upgradeFromVersion1(value)).toBe(value);
  },
);

test("a target's texts are no names: they stay as they are", () => {
  const message = "could-not-run sentences";
  expect(upgradeFromVersion1({ schemaVersion: 1, message, toString: "x" })).toEqual({
    schemaVersion: 2,
    message,
    toString: "x",
  });
});
