import type { JSX } from "preact";
import type { Point } from "./shapes.ts";
import { px } from "./svg-number.ts";

export interface StraightLineProps extends Omit<JSX.IntrinsicElements["line"], "from" | "to"> {
  readonly from: Point;
  readonly to: Point;
}

/** A straight line between two points, rounded to one decimal. */
export const StraightLine = ({ from, to, ...attributes }: StraightLineProps): JSX.Element => (
  <line x1={px(from[0])} y1={px(from[1])} x2={px(to[0])} y2={px(to[1])} {...attributes} />
);
