import type { Point } from "../load-figures/shapes.ts";

/** Middle of the box of a state. */
export interface Middle {
  readonly x: number;
  readonly y: number;
}

/** A line from the border of one box to that of another, bent towards a third point: a quadratic curve. */
export interface EdgeCurve {
  readonly from: Middle;
  readonly control: Middle;
  readonly to: Middle;
  readonly isStraight: boolean;
}

/** Half the width and half the height of the box of a state. */
export const stateBox = { x: 74, y: 23 } as const;

/** Between a box and the tip of a line. */
const space = 5;

/**
 * The line from one state to another. `bend` is how far its control point stands off the straight line: above 0 on the outside
 * of the fan that lines to the right make. Between two states of a column it goes round on the right, by at least as much.
 */
export function edgeCurve(from: Middle, to: Middle, bend: number): EdgeCurve {
  if (from.x === to.x) {
    return roundTheSide(from, to, bend);
  }
  const outer = outside(from, to);
  const control = { x: (from.x + to.x) / 2 + outer.x * bend, y: (from.y + to.y) / 2 + outer.y * bend };
  return { from: onBorder(from, control), control, to: onBorder(to, control), isStraight: bend === 0 };
}

/** Across the line between two states, of length one, whichever way it leads: upwards where it rises to the right, else downwards. */
export function outside(from: Middle, to: Middle): Middle {
  const [left, right] = to.x < from.x ? [to, from] : [from, to];
  const length = Math.max(0.001, Math.hypot(right.x - left.x, right.y - left.y));
  const sign = right.y < left.y ? 1 : -1;
  return { x: (sign * (right.y - left.y)) / length, y: (-sign * (right.x - left.x)) / length };
}

/** A point of a curve, from 0 at its beginning to 1 at its end. */
export function pointOf({ from, control, to }: EdgeCurve, part: number): Middle {
  const [one, two, three] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
  return {
    x: one * from.x + two * control.x + three * to.x,
    y: one * from.y + two * control.y + three * to.y,
  };
}

/** So many parts of a curve of equal weight, both ends included. */
export const pointsOf = (curve: EdgeCurve, parts: number): readonly Point[] =>
  Array.from({ length: parts + 1 }, (_, index) => {
    const { x, y } = pointOf(curve, index / parts);
    return [x, y];
  });

/** Out of the right sides of both boxes and round what lies between. */
function roundTheSide(from: Middle, to: Middle, bend: number): EdgeCurve {
  const shift = to.y > from.y ? 6 : -6;
  const side = from.x + stateBox.x + space;
  const far = 40 + 0.35 * Math.abs(to.y - from.y) + Math.abs(bend);
  return {
    from: { x: side - space, y: from.y + shift },
    control: { x: side + far, y: (from.y + to.y) / 2 },
    to: { x: side, y: to.y - shift },
    isStraight: false,
  };
}

/** Where the straight line from the middle of a box to a point leaves it, and a little further. */
function onBorder(box: Middle, towards: Middle): Middle {
  const dx = towards.x - box.x;
  const dy = towards.y - box.y;
  const scale = Math.min(
    (stateBox.x + space) / Math.max(Math.abs(dx), 0.001),
    (stateBox.y + space) / Math.max(Math.abs(dy), 0.001),
  );
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}
