import { expect, test } from "vitest";
import { normalUpperQuantile, normalUpperTail } from "./normal.ts";

test.each([
  { x: 0, tail: 0.5 },
  { x: 1, tail: 0.15865525393145705 },
  { x: -1, tail: 0.8413447460685429 },
  { x: 2.4999999, tail: 0.006209667078606 },
  { x: 2.5, tail: 0.006209665325776132 },
  { x: 5, tail: 2.8665157187919333e-7 },
  { x: 10, tail: 7.61985302416052e-24 },
])("the share above $x is $tail", ({ x, tail }) => {
  expect(normalUpperTail(x) / tail).toBeCloseTo(1, 11);
});

test.each([
  { tail: 0.5, x: 0 },
  { tail: 0.005, x: 2.5758293035489004 },
  { tail: 0.025, x: 1.959963984540054 },
  { tail: 0.9, x: -1.2815515655446004 },
])("the share $tail lies above $x", ({ tail, x }) => {
  expect(normalUpperQuantile(tail)).toBeCloseTo(x, 11);
});
