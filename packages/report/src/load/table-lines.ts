import { displayColumns, padded } from "../display-columns.ts";
import type { Page } from "../page.ts";
import { wrapIndented } from "../wrap-text.ts";

/** A table of short texts; the first column names the rows. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of columns, from the left, that begin at the left; the others end at the right [1]. */
  readonly leftColumns?: number;
}

const gap = "  ";

const aligned = (cell: string, columns: number, left: boolean): string =>
  left ? padded(cell, columns) : `${" ".repeat(Math.max(0, columns - displayColumns(cell)))}${cell}`;

const widthsOf = ({ head, rows }: TextTable): readonly number[] =>
  head.map((title, column) => Math.max(displayColumns(title), ...rows.map((row) => displayColumns(row[column] ?? ""))));

/** Each row on its own: its name, then every other cell with the title of its column. */
const listLines = ({ head, rows }: TextTable, { columns }: Page): readonly string[] =>
  rows.flatMap(([name = "", ...cells]) => [
    ...wrapIndented(name, { columns, indent: 2, hanging: 4 }),
    ...wrapIndented(cells.map((cell, index) => `${head[index + 1] ?? ""} ${cell}`.trim()).join(", "), {
      columns,
      indent: 4,
    }),
  ]);

const widthOf = (table: TextTable): number => widthsOf(table).reduce((sum, columns) => sum + columns + gap.length, 0);

/** Whether a table has room on a page. */
export const fitsPage = (table: TextTable, { columns }: Page): boolean => widthOf(table) <= columns;

/** The lines of a table, indented by two; where it is wider than the page, its rows one below the other in words. */
export const tableLines = (table: TextTable, page: Page): readonly string[] => {
  const { head, rows, leftColumns = 1 } = table;
  const widths = widthsOf(table);
  if (rows.length === 0) {
    return [];
  }
  if (!fitsPage(table, page)) {
    return listLines(table, page);
  }
  const line = (cells: readonly string[]): string =>
    `${gap}${widths.map((columns, index) => aligned(cells[index] ?? "", columns, index < leftColumns)).join(gap)}`;
  return [page.paint.dim(line(head).trimEnd()), ...rows.map((row) => line(row).trimEnd())];
};
