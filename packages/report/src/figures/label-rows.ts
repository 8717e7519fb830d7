/** The left edge and width of a label. */
export interface LabelSpan {
  readonly x: number;
  readonly width: number;
}

const spacing = 8;

/**
 * Returns the row of each label, from 0 at the bottom. No label overlaps another label or the vertical line below one. Labels with the same
 * left edge are stacked in their order, the first on top.
 */
export function assignLabelRows(labels: readonly LabelSpan[]): readonly number[] {
  const order = [...labels.keys()].sort((a, b) => getLeftEdge(labels, b) - getLeftEdge(labels, a) || b - a);
  const rows = labels.map(() => 0);
  // From right to left: a label is above all labels that begin before it ends.
  for (const [rank, index] of order.entries()) {
    const { x = 0, width = 0 } = labels[index] ?? {};
    const covered = order.slice(0, rank).filter((label) => getLeftEdge(labels, label) < x + width + spacing);
    rows[index] = covered.reduce((row, label) => Math.max(row, (rows[label] ?? 0) + 1), 0);
  }
  return rows;
}

const getLeftEdge = (labels: readonly LabelSpan[], index: number): number => labels[index]?.x ?? 0;
