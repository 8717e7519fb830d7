import { expect, test } from "vitest";
import { listStepCorners } from "./time-corners.ts";

const stretch = (fromMs: number, toMs: number) => ({ fromMs, toMs });
const follows = (one: { toMs: number }, next: { fromMs: number }): boolean => one.toMs === next.fromMs;
const [first, second, late] = [stretch(0, 10), stretch(10, 20), stretch(30, 40)];

test.each([
  { name: "nothing", stretches: [], moments: [] },
  { name: "one stretch", stretches: [first], moments: [0, 10, undefined] },
  { name: "two adjacent periods", stretches: [first, second], moments: [0, 10, 20, undefined] },
  { name: "two apart", stretches: [second, late], moments: [10, 20, undefined, 30, 40, undefined] },
])("a line of steps through $name turns at its beginnings and its ends", ({ stretches, moments }) => {
  expect(listStepCorners(stretches, follows).map((corner) => corner?.ms)).toEqual(moments);
});

test("a corner has the period of its value", () => {
  expect(listStepCorners([first, second], follows).map((corner) => corner?.period)).toEqual([
    first,
    second,
    second,
    undefined,
  ]);
});
