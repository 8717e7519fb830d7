import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { edgeCurve, pointOf, stateBox } from "./edge-curve.ts";

const middle = fc.record({ x: fc.integer({ min: 0, max: 900 }), y: fc.integer({ min: 0, max: 500 }) });

describe("the line between two states", () => {
  const left = { x: 100, y: 100 };
  const right = { x: 500, y: 100 };
  const below = { x: 100, y: 300 };

  test.each([
    { name: "is straight without a bend", from: left, to: right, bend: 0, isStraight: true },
    { name: "to the right goes round below", from: left, to: right, bend: 64, isStraight: false },
    { name: "to the left goes round below, too", from: right, to: left, bend: 64, isStraight: false },
    { name: "goes round above with a bend below 0", from: right, to: left, bend: -64, isStraight: false },
  ])("$name", ({ from, to, bend, isStraight }) => {
    const curve = edgeCurve(from, to, bend);
    expect([curve.control, curve.isStraight]).toEqual([{ x: 300, y: 100 + bend }, isStraight]);
  });

  test("of a column goes round on the right, the further the more it is bent", () => {
    const near = edgeCurve(left, below, 0);
    const far = edgeCurve(below, left, 40);
    expect(near.control.x).toBeGreaterThan(left.x + stateBox.x);
    expect(far.control.x).toBe(near.control.x + 40);
  });

  test("begins at its beginning and ends at its end", () => {
    const curve = edgeCurve(left, right, 64);
    expect([pointOf(curve, 0), pointOf(curve, 1)]).toEqual([curve.from, curve.to]);
    expect(pointOf(curve, 0.5).y).toBeGreaterThan(curve.from.y);
  });

  test("never ends inside a box", () => {
    fc.assert(
      fc.property(middle, middle, fc.constantFrom(0, 64, -130), (from, to, bend) => {
        const curve = edgeCurve(from, to, bend);
        const isInside = Math.abs(curve.to.x - to.x) < stateBox.x && Math.abs(curve.to.y - to.y) < stateBox.y;
        expect(isInside).toBe(false);
      }),
    );
  });
});
