import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { edgeCurve, stateBox } from "./edge-curve.ts";

const middle = fc.record({ x: fc.integer({ min: 0, max: 900 }), y: fc.integer({ min: 0, max: 500 }) });

describe("the line between two states", () => {
  const left = { x: 100, y: 100 };
  const right = { x: 500, y: 100 };
  const below = { x: 100, y: 300 };

  test.each([
    { name: "is straight where none leads back", from: left, to: right, hasReverse: false, bends: 0 },
    { name: "to the right is straight beside one back", from: left, to: right, hasReverse: true, bends: 0 },
    { name: "back goes round below", from: right, to: left, hasReverse: true, bends: 64 },
  ])("$name", ({ from, to, hasReverse, bends }) => {
    expect(edgeCurve(from, to, hasReverse).control).toEqual({ x: 300, y: 100 + bends });
  });

  test("of a column goes round on the right, and one back beside it", () => {
    const down = edgeCurve(left, below, true);
    const up = edgeCurve(below, left, true);
    expect(down.control.x).toBeGreaterThan(up.control.x);
    expect(up.control.x).toBeGreaterThan(left.x + stateBox.x);
    expect(Math.abs(down.label.y - up.label.y)).toBeGreaterThan(13);
  });

  test("never ends inside a box, and its label stands somewhere", () => {
    fc.assert(
      fc.property(middle, middle, fc.boolean(), (from, to, hasReverse) => {
        const curve = edgeCurve(from, to, hasReverse);
        const isInside = Math.abs(curve.to.x - to.x) < stateBox.x && Math.abs(curve.to.y - to.y) < stateBox.y;
        expect(isInside).toBe(false);
        expect([curve.label.x, curve.label.y].every((at) => Number.isFinite(at))).toBe(true);
      }),
    );
  });
});
