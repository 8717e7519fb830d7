import { isPayloadObject } from "../../payload.ts";

/** Reads the columns of one row by name. */
export interface RowReader {
  number(column: string): number;
  text(column: string): string;
  /** Reads a JSON column. Returns undefined for NULL. */
  json(column: string): unknown;
}

const createTypeError = (column: string): Error => new Error(`unexpected type in database column ${column}`);

/** Wraps a row. Its methods throw if a column is missing or has the wrong type. */
export const readRow = (row: unknown): RowReader => {
  const columns = isPayloadObject(row) ? row : {};
  const text = (column: string): string => {
    const value = columns[column];
    if (typeof value !== "string") {
      throw createTypeError(column);
    }
    return value;
  };
  return {
    number: (column) => {
      const value = columns[column];
      if (typeof value !== "number") {
        throw createTypeError(column);
      }
      return value;
    },
    text,
    json: (column) => (columns[column] === null ? undefined : (JSON.parse(text(column)) as unknown)),
  };
};
