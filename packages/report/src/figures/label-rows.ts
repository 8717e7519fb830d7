/** A label: its left edge and its width. */
export interface Labelled {
  readonly x: number;
  readonly width: number;
}

const spacing = 8;

/**
 * The row of each label, from 0 at the bottom, so that no label overlaps another label or the vertical line below one. Labels with the same
 * left edge are stacked in their order, the first on top.
 */
export function labelRows(labels: readonly Labelled[]): readonly number[] {
  const order = [...labels.keys()].sort((one, other) => xOf(labels, other) - xOf(labels, one) || other - one);
  const rows = labels.map(() => 0);
  // From right to left: a label is above all labels that begin before it ends.
  for (const [rank, index] of order.entries()) {
    const { x = 0, width = 0 } = labels[index] ?? {};
    const covered = order.slice(0, rank).filter((other) => xOf(labels, other) < x + width + spacing);
    rows[index] = covered.reduce((row, other) => Math.max(row, (rows[other] ?? 0) + 1), 0);
  }
  return rows;
}

const xOf = (labels: readonly Labelled[], index: number): number => labels[index]?.x ?? 0;
