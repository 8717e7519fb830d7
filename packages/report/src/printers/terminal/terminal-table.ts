import { countDisplayColumns, padToColumns } from "./display-columns.ts";
import type { Block, TextTable } from "../../document/document.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import type { TerminalLayout } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

const gap = "  ";

const alignCell = (cell: string, columns: number, isLeftAligned: boolean): string =>
  isLeftAligned
    ? padToColumns(cell, columns)
    : `${" ".repeat(Math.max(0, columns - countDisplayColumns(cell)))}${cell}`;

const computeColumnWidths = ({ head, rows }: TextTable): readonly number[] =>
  head.map((title, column) =>
    Math.max(countDisplayColumns(title), ...rows.map((row) => countDisplayColumns(row[column] ?? ""))),
  );

/** Formats each row separately: its name, then all other cells with the titles of their columns. */
const listLines = ({ head, rows }: TextTable, { columns }: TerminalLayout): readonly string[] =>
  rows.flatMap(([name = "", ...cells]) => [
    ...wrapIndented(name, { columns, indent: 2, hanging: 4 }),
    ...wrapIndented(cells.map((cell, index) => `${head[index + 1] ?? ""} ${cell}`.trim()).join(", "), {
      columns,
      indent: 4,
    }),
  ]);

const fitsPage = (table: TextTable, { columns }: TerminalLayout): boolean =>
  computeColumnWidths(table).reduce((sum, width) => sum + width + gap.length, 0) <= columns;

const createPrintableTable = (table: TextTable): TextTable => ({
  ...table,
  rows: table.rows.map((row) => row.map((cell) => escapeForDisplay(cell, "name"))),
});

/**
 * Formats a table, indented by two columns. If it is too wide, its narrow form is used. If that is too wide too, each row becomes a list of
 * cells with the titles of their columns.
 */
export const renderTableLines = (
  block: Extract<Block, { kind: "table" }>,
  layout: TerminalLayout,
): readonly string[] => {
  const fullTable = createPrintableTable(block.table);
  const narrowTable = block.narrow === undefined ? fullTable : createPrintableTable(block.narrow);
  const table = fitsPage(fullTable, layout) ? fullTable : narrowTable;
  if (fullTable.rows.length === 0) {
    return [];
  }
  if (!fitsPage(table, layout)) {
    return listLines(fullTable, layout);
  }
  const { head, rows, leftColumns = 1, signs = [] } = table;
  const widths = computeColumnWidths(table);
  const line = (cells: readonly string[]): string =>
    `${gap}${widths.map((columns, index) => alignCell(cells[index] ?? "", columns, index < leftColumns)).join(gap)}`.trimEnd();
  return [
    layout.paint.dim(line(head)),
    ...rows.map((row, index) => {
      const sign = signs[index];
      return sign === undefined ? line(row) : paintBySign(sign, line(row), layout);
    }),
  ];
};
