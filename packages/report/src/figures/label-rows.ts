/** Something that is labelled: a place and the width of the label, which begins there and runs to the right. */
export interface Labelled {
  readonly x: number;
  readonly width: number;
}

const spacing = 8;

/**
 * The row of each label, 0 being the lowest: no label overlaps another, and no line that falls from a label straight down
 * crosses one. Labels of one place stand one above the other in their order, the first one on top.
 */
export function labelRows(labels: readonly Labelled[]): readonly number[] {
  const order = [...labels.keys()].sort((one, other) => xOf(labels, other) - xOf(labels, one) || other - one);
  const rows = labels.map(() => 0);
  // From right to left: a label stands above all that begin before it ends.
  for (const [rank, index] of order.entries()) {
    const { x = 0, width = 0 } = labels[index] ?? {};
    const covered = order.slice(0, rank).filter((other) => xOf(labels, other) < x + width + spacing);
    rows[index] = covered.reduce((row, other) => Math.max(row, (rows[other] ?? 0) + 1), 0);
  }
  return rows;
}

const xOf = (labels: readonly Labelled[], index: number): number => labels[index]?.x ?? 0;
