import { displayColumns, padded } from "./display-columns.ts";
import type { Block, TextTable } from "../../document/document.ts";
import { painted } from "../../document/outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "../../document/shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

const gap = "  ";

const aligned = (cell: string, columns: number, left: boolean): string =>
  left ? padded(cell, columns) : `${" ".repeat(Math.max(0, columns - displayColumns(cell)))}${cell}`;

const widthsOf = ({ head, rows }: TextTable): readonly number[] =>
  head.map((title, column) => Math.max(displayColumns(title), ...rows.map((row) => displayColumns(row[column] ?? ""))));

/** Formats each row separately: its name, then all other cells with the titles of their columns. */
const listLines = ({ head, rows }: TextTable, { columns }: Page): readonly string[] =>
  rows.flatMap(([name = "", ...cells]) => [
    ...wrapIndented(name, { columns, indent: 2, hanging: 4 }),
    ...wrapIndented(cells.map((cell, index) => `${head[index + 1] ?? ""} ${cell}`.trim()).join(", "), {
      columns,
      indent: 4,
    }),
  ]);

const fits = (table: TextTable, { columns }: Page): boolean =>
  widthsOf(table).reduce((sum, width) => sum + width + gap.length, 0) <= columns;

const safe = (table: TextTable): TextTable => ({
  ...table,
  rows: table.rows.map((row) => row.map((cell) => shownText(cell, "name"))),
});

/**
 * Formats a table, indented by two columns. If it is too wide, its narrow form is used. If that is too wide too, each row becomes a list of
 * cells with the titles of their columns.
 */
export const tableLines = (block: Extract<Block, { kind: "table" }>, page: Page): readonly string[] => {
  const whole = safe(block.table);
  const narrow = block.narrow === undefined ? whole : safe(block.narrow);
  const table = fits(whole, page) ? whole : narrow;
  if (whole.rows.length === 0) {
    return [];
  }
  if (!fits(table, page)) {
    return listLines(whole, page);
  }
  const { head, rows, leftColumns = 1, signs = [] } = table;
  const widths = widthsOf(table);
  const line = (cells: readonly string[]): string =>
    `${gap}${widths.map((columns, index) => aligned(cells[index] ?? "", columns, index < leftColumns)).join(gap)}`.trimEnd();
  return [
    page.paint.dim(line(head)),
    ...rows.map((row, index) => {
      const sign = signs[index];
      return sign === undefined ? line(row) : painted(sign, line(row), page);
    }),
  ];
};
