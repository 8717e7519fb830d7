import { expect, test } from "vitest";
import { drawBandPath, drawLinePath, drawStepAreaPath, drawStepPath } from "./shapes.ts";

test.each([
  {
    name: "a line",
    path: drawLinePath([
      [0, 1.26],
      [2, 3],
    ]),
    drawn: "M0,1.3L2,3",
  },
  {
    name: "a line with a gap",
    path: drawLinePath([[0, 1], [2, 3], undefined, [4, 5], [6, 7]]),
    drawn: "M0,1L2,3M4,5L6,7",
  },
  { name: "a line without points", path: drawLinePath([]), drawn: "" },
  {
    name: "a coordinate that is not a number",
    path: drawLinePath([
      [Number.NaN, 1],
      [2, Infinity],
    ]),
    drawn: "M0,1L2,0",
  },
  {
    name: "steps",
    path: drawStepPath([
      [0, 1],
      [2, 3],
      [4, 3],
    ]),
    drawn: "M0,1L2,1L2,3L4,3L4,3",
  },
  {
    name: "a band",
    path: drawBandPath([
      { position: 9, edges: [1, 2] },
      { position: 5, edges: [3, 6] },
    ]),
    drawn: "M2,9L6,5L3,5L1,9Z",
  },
  { name: "a band of one stripe", path: drawBandPath([{ position: 9, edges: [1, 2] }]), drawn: "" },
  {
    name: "an area of steps",
    path: drawStepAreaPath([{ position: 0, edges: [9, 5] }, { position: 2, edges: [9, 5] }, undefined]),
    drawn: "M0,5L2,5L2,5L2,9L2,9L0,9Z",
  },
])("$name is drawn point by point, with at most one decimal", ({ path, drawn }) => {
  expect(path).toBe(drawn);
});
