import type { Point } from "../load-figures/shapes.ts";

/** A rectangle by its sides. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A rectangle by its middle and half its sides. */
export const boxAround = (x: number, y: number, half: { readonly x: number; readonly y: number }): Box => ({
  left: x - half.x,
  right: x + half.x,
  top: y - half.y,
  bottom: y + half.y,
});

/** Whether two rectangles have an area in common. */
export const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Whether a rectangle lies in another. */
export const isWithin = (one: Box, outer: Box): boolean =>
  one.left >= outer.left && one.right <= outer.right && one.top >= outer.top && one.bottom <= outer.bottom;

/** How many of the points lie in a rectangle. */
export const pointsIn = ({ left, right, top, bottom }: Box, points: readonly Point[]): number =>
  points.reduce((count, [x, y]) => (x > left && x < right && y > top && y < bottom ? count + 1 : count), 0);
