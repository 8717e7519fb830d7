import { area, curveStepAfter, line } from "d3-shape";
import { px } from "./svg-number.ts";

/** A point in the coordinates of a figure. */
export type Point = readonly [x: number, y: number];

/** A position in an area with both of its edges. */
export interface Stripe {
  readonly position: number;
  readonly edges: readonly [number, number];
}

const isDefined = (value: unknown): boolean => value !== undefined;

const pathLine = line<Point | undefined>()
  .defined(isDefined)
  .x((point) => px(point?.[0] ?? 0))
  .y((point) => px(point?.[1] ?? 0))
  .digits(1);

/** Returns a path that joins points by straight lines, rounded to one decimal. `undefined` is a gap. Empty if there are no points. */
export const drawLinePath = (points: readonly (Point | undefined)[]): string => pathLine(points) ?? "";

const stepLine = line(pathLine.x(), pathLine.y()).defined(isDefined).digits(1).curve(curveStepAfter);

/** Returns a path that joins points in steps: each height continues to the next point. `undefined` is a gap. */
export const drawStepPath = (points: readonly (Point | undefined)[]): string => stepLine(points) ?? "";

const risingArea = area<Stripe>()
  .y(({ position }) => px(position))
  .x0(({ edges }) => px(edges[0]))
  .x1(({ edges }) => px(edges[1]))
  .digits(1);

/** Returns the area between a left and a right edge, by height. Empty for fewer than two stripes. */
export const drawBandPath = (stripes: readonly Stripe[]): string =>
  stripes.length < 2 ? "" : (risingArea(stripes) ?? "");

const steppedArea = area<Stripe | undefined>()
  .defined(isDefined)
  .x((stripe) => px(stripe?.position ?? 0))
  .y0((stripe) => px(stripe?.edges[0] ?? 0))
  .y1((stripe) => px(stripe?.edges[1] ?? 0))
  .digits(1)
  .curve(curveStepAfter);

/** Returns the area between two step lines, from left to right. `undefined` is a gap. */
export const drawStepAreaPath = (stripes: readonly (Stripe | undefined)[]): string => steppedArea(stripes) ?? "";
