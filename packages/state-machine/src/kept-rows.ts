/**
 * Rows by a number, of which a bounded number is kept: those with the smallest numbers. Where the numbers are digests, which rows
 * they are depends on the keys alone and not on the order in which they came, and a row that is kept at the end was kept since
 * it was first seen. Nobody who asks honest questions reaches the bound.
 */
export interface KeptRows<Row> {
  readonly rows: Map<number, Row>;
  /** Numbers above it are not kept. */
  maxKey: number;
}

export const maxRows = 2048;

export const newKeptRows = <Row>(): KeptRows<Row> => ({ rows: new Map(), maxKey: Number.POSITIVE_INFINITY });

/** The row of a number, made if it is new; undefined if there are too many. */
export function rowOf<Row>(kept: KeptRows<Row>, key: number, fresh: (key: number) => Row): Row | undefined {
  const known = kept.rows.get(key);
  if (known !== undefined || key > kept.maxKey) {
    return known;
  }
  const row = fresh(key);
  kept.rows.set(key, row);
  if (kept.rows.size >= 2 * maxRows) {
    trim(kept);
  }
  return row;
}

function trim<Row>(kept: KeptRows<Row>): void {
  const keys = [...kept.rows.keys()].sort((a, b) => a - b);
  kept.maxKey = keys[maxRows - 1] ?? kept.maxKey;
  for (const key of keys.slice(maxRows)) {
    kept.rows.delete(key);
  }
}

/** The rows to report on, the same whatever came last. */
export function keptRows<Row>(kept: KeptRows<Row>): readonly Row[] {
  if (kept.rows.size > maxRows) {
    trim(kept);
  }
  return [...kept.rows.values()];
}
