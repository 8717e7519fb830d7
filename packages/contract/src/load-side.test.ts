import { expect, test } from "vitest";
import { listSides, readStoredSide, readStoredTargets } from "./load-side.ts";

test.each([
  [{ side: "base" }, "base"],
  [{ side: "head" }, "head"],
  [{ arm: "a" }, "base"],
  [{ arm: "b" }, "head"],
  [{ side: "a" }, undefined],
  [{ arm: "head" }, undefined],
  [{}, undefined],
])("the side of %j is %s", (stored, side) => {
  expect(readStoredSide(stored)).toBe(side);
});

test.each([
  { stored: { a: "http://one" }, targets: { base: "http://one" } },
  { stored: { a: "http://one", b: "http://two" }, targets: { base: "http://one", head: "http://two" } },
  { stored: { base: "http://one", head: "http://two" }, targets: { base: "http://one", head: "http://two" } },
  { stored: { c: 1 }, targets: { c: 1 } },
  { stored: ["a"], targets: ["a"] },
  { stored: undefined, targets: undefined },
])("the stored targets $stored are $targets", ({ stored, targets }) => {
  expect(readStoredTargets(stored)).toEqual(targets);
});

test("a load with one target has no head", () => {
  expect([listSides({}), listSides({ head: "http://two" })]).toEqual([["base"], ["base", "head"]]);
});
