import { area, curveStepAfter, line } from "d3-shape";
import { px } from "./svg-number.ts";

/** A point in the coordinates of a figure. */
export type Point = readonly [x: number, y: number];

/** A position in an area with both of its edges. */
export interface Stripe {
  readonly at: number;
  readonly ends: readonly [number, number];
}

const isThere = (one: unknown): boolean => one !== undefined;

const lines = line<Point | undefined>()
  .defined(isThere)
  .x((point) => px(point?.[0] ?? 0))
  .y((point) => px(point?.[1] ?? 0))
  .digits(1);

/** A straight line through points, at most one decimal; `undefined` is a gap. Empty without points. */
export const linePath = (points: readonly (Point | undefined)[]): string => lines(points) ?? "";

const steps = line(lines.x(), lines.y()).defined(isThere).digits(1).curve(curveStepAfter);

/** A line through points in steps: each height continues to the next point. `undefined` is a gap. */
export const stepPath = (points: readonly (Point | undefined)[]): string => steps(points) ?? "";

const risingArea = area<Stripe>()
  .y(({ at }) => px(at))
  .x0(({ ends }) => px(ends[0]))
  .x1(({ ends }) => px(ends[1]))
  .digits(1);

/** The area between a left and a right edge, by height. Empty for fewer than two stripes. */
export const bandPath = (stripes: readonly Stripe[]): string => (stripes.length < 2 ? "" : (risingArea(stripes) ?? ""));

const steppedArea = area<Stripe | undefined>()
  .defined(isThere)
  .x((stripe) => px(stripe?.at ?? 0))
  .y0((stripe) => px(stripe?.ends[0] ?? 0))
  .y1((stripe) => px(stripe?.ends[1] ?? 0))
  .digits(1)
  .curve(curveStepAfter);

/** The area between two step lines, from left to right. `undefined` is a gap. */
export const stepAreaPath = (stripes: readonly (Stripe | undefined)[]): string => steppedArea(stripes) ?? "";
