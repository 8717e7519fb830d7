/** Middle of the box of a state. */
interface Middle {
  readonly x: number;
  readonly y: number;
}

/** A curved line from one box to another, with its head and the place of its label. */
export interface EdgeCurve {
  readonly from: Middle;
  readonly control: Middle;
  readonly to: Middle;
  readonly label: Middle & { readonly anchor: "start" | "middle" | "end" };
}

/** Half the width and half the height of the box of a state. */
export const stateBox = { x: 74, y: 23 } as const;

/** Between a box and the tip of a line. */
const space = 5;

/** How far the control point of a line back stands from the straight line. */
const bend = 64;

/** From a line to its label. */
const labelSpace = 10;

/** Where along a line its label stands: nearer to its right end, where lines that part in a fan lie further apart. */
const labelPart = 0.6;
/** The same of a slanting line that has one back outside it: its label stands inside, where others are. */
const insidePart = 0.8;

/**
 * The curve of an edge. Where two states lead to each other the line back to the left goes round on the outside of the fan and
 * the one to the right is straight, with its label inside; one between two states of a column goes round on the right.
 */
export function edgeCurve(from: Middle, to: Middle, hasReverse: boolean): EdgeCurve {
  if (from.x === to.x) {
    return roundTheSide(from, to, hasReverse);
  }
  const goesRight = to.x > from.x;
  const outer = outside(goesRight ? [from, to] : [to, from]);
  const isBack = hasReverse && !goesRight;
  const by = isBack ? bend : 0;
  const control = { x: (from.x + to.x) / 2 + outer.x * by, y: (from.y + to.y) / 2 + outer.y * by };
  const ends = { from: onBorder(from, control), control, to: onBorder(to, control) };
  if (!hasReverse || isBack) {
    return { ...ends, label: besideLine(pointOf(ends, goesRight ? labelPart : 1 - labelPart), outer) };
  }
  const at = pointOf(ends, from.y === to.y ? labelPart : insidePart);
  return { ...ends, label: besideLine(at, { x: -outer.x, y: -outer.y }) };
}

/** Across a line, of length one: upwards where it rises to the right, else downwards. */
function outside([left, right]: readonly [Middle, Middle]): Middle {
  const length = Math.hypot(right.x - left.x, right.y - left.y);
  const sign = right.y < left.y ? 1 : -1;
  return { x: (sign * (right.y - left.y)) / length, y: (-sign * (right.x - left.x)) / length };
}

/** A point of a quadratic curve. */
function pointOf({ from, control, to }: Omit<EdgeCurve, "label">, part: number): Middle {
  const [one, two, three] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
  return {
    x: one * from.x + two * control.x + three * to.x,
    y: one * from.y + two * control.y + three * to.y,
  };
}

/** On one side of a line, running away from it. */
function besideLine(at: Middle, side: Middle): EdgeCurve["label"] {
  const anchor = Math.abs(side.x) < 0.08 ? "middle" : side.x > 0 ? "start" : "end";
  const drop = side.y > 0.3 ? 9 : side.y < -0.3 ? 0 : 4;
  return { x: at.x + side.x * labelSpace, y: at.y + side.y * labelSpace + drop, anchor };
}

/** Out of the right sides of both boxes and round what lies between. */
function roundTheSide(from: Middle, to: Middle, hasReverse: boolean): EdgeCurve {
  const isDown = to.y > from.y;
  const far = Math.min(150, 50 + 0.4 * Math.abs(to.y - from.y)) + (hasReverse && isDown ? 44 : 0);
  const shift = isDown ? 6 : -6;
  const side = from.x + stateBox.x + space;
  const control = { x: side + far, y: (from.y + to.y) / 2 };
  return {
    from: { x: side - space, y: from.y + shift },
    control,
    to: { x: side, y: to.y - shift },
    label: { x: side + far / 2 + 8, y: control.y + (isDown ? 18 : -10), anchor: "start" },
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
