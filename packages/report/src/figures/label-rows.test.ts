import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignLabelRows } from "./label-rows.ts";

describe("labels", () => {
  test.each<{ name: string; labels: readonly (readonly [x: number, width: number])[]; rows: readonly number[] }>([
    { name: "none", labels: [], rows: [] },
    {
      name: "far apart share the lowest row",
      labels: [
        [0, 40],
        [100, 40],
      ],
      rows: [0, 0],
    },
    {
      name: "that would overlap are stacked, the left one on top",
      labels: [
        [0, 40],
        [30, 40],
      ],
      rows: [1, 0],
    },
    {
      name: "with the same left edge keep their order from the top",
      labels: [
        [5, 10],
        [5, 10],
        [5, 10],
      ],
      rows: [2, 1, 0],
    },
    {
      name: "are low again if there is room",
      labels: [
        [0, 40],
        [30, 20],
        [200, 9],
      ],
      rows: [1, 0, 0],
    },
  ])("$name", ({ labels, rows }) => {
    expect(assignLabelRows(labels.map(([x, width]) => ({ x, width })))).toEqual(rows);
  });

  test("never overlap, and no line below a label crosses another label", () => {
    const label = fc.record({ x: fc.nat({ max: 600 }), width: fc.integer({ min: 1, max: 150 }) });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 20 }), (labels) => {
        const rows = assignLabelRows(labels);
        const placed = labels.map((each, index) => ({ ...each, row: rows[index] ?? -1, index }));
        for (const one of placed) {
          const others = placed.filter(({ index }) => index !== one.index);
          const overlapping = others.filter(
            ({ x, width, row }) => row === one.row && x < one.x + one.width && one.x < x + width,
          );
          // The line of a label is at its left edge.
          const crossed = others.filter(({ x, width, row }) => row < one.row && one.x > x && one.x < x + width);
          expect([overlapping, crossed]).toEqual([[], []]);
        }
      }),
    );
  });
});
