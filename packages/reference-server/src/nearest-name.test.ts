import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.each([
  { mistyped: "no-dne", nearest: "no-done" },
  { mistyped: "CRLF", nearest: "crlf" },
  { mistyped: "done-twise", nearest: "done-twice" },
  { mistyped: "no-done".padEnd(100_000, "e"), nearest: "no-done" },
])("the name nearest to $mistyped is $nearest", ({ mistyped, nearest }) => {
  expect(nearestName(mistyped, ["no-done", "crlf", "done-twice"])).toBe(nearest);
});

test("without names there is no nearest one", () => {
  expect(nearestName("anything", [])).toBeUndefined();
});
