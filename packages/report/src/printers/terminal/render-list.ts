import { countDisplayColumns, padToColumns } from "./display-columns.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "./terminal-text.ts";
import { wrapIndented, wrapName, wrapText } from "./wrap-text.ts";

/** A rule of a list. */
export interface ListedRule {
  readonly id: string;
  readonly basis: string;
  readonly title: string;
}

const gap = "  ";
/** Minimum width of titles. If there is less space, the preceding column is wrapped too. */
const minTitleColumns = 28;
/** Minimum width of the basis. If there is less space, titles are printed below their rules. */
const minBasisColumns = 16;

interface Columns {
  readonly id: number;
  readonly basis: number;
  /** Absent if titles are printed below. */
  readonly title?: number;
}

const findMaxColumns = (texts: readonly string[]): number => Math.max(0, ...texts.map(countDisplayColumns));

/** Computes column widths. Ids are not wrapped, so that they can be copied. The other columns share the remaining space. */
const computeColumnWidths = (rules: readonly ListedRule[], { columns }: TerminalLayout): Columns => {
  const id = findMaxColumns(rules.map((rule) => rule.id));
  const widestBasis = findMaxColumns(rules.map((rule) => rule.basis));
  const remainingColumns = columns - id - 2 * gap.length;
  const basis = Math.min(widestBasis, remainingColumns - minTitleColumns);
  return basis < Math.min(widestBasis, minBasisColumns)
    ? { id, basis: widestBasis }
    : { id, basis, title: remainingColumns - basis };
};

const renderRuleLines = (
  { id, basis, title }: ListedRule,
  columns: Columns,
  layout: TerminalLayout,
): readonly string[] => {
  const { paint } = layout;
  if (columns.title === undefined) {
    const layoutBelow = { columns: layout.columns, indent: 4 };
    const fits = columns.id + gap.length + columns.basis <= layout.columns;
    const start = fits
      ? [`${padToColumns(id, columns.id)}${gap}${paint.dim(basis)}`]
      : [id, ...wrapIndented(basis, layoutBelow).map(paint.dim)];
    return [...start, ...wrapIndented(title, layoutBelow)];
  }
  const bases = wrapName(basis, columns.basis);
  const titles = wrapText(title, columns.title);
  return Array.from({ length: Math.max(bases.length, titles.length) }, (_, row) =>
    [
      padToColumns(row === 0 ? id : "", columns.id),
      paint.dim(padToColumns(bases[row] ?? "", columns.basis)),
      titles[row] ?? "",
    ].join(gap),
  );
};

/**
 * Renders a table of rules with id, basis and title, in order. If it is too wide, titles are wrapped, then bases. On a narrow terminal titles
 * are printed below their rules.
 */
export const renderList = (rules: readonly ListedRule[], options: TerminalLayoutOptions): string => {
  const layout = createTerminalLayout(options);
  const shownRules = rules.map(({ id, basis, title }) => ({
    id: escapeForDisplay(id, "name"),
    basis: escapeForDisplay(basis, "name"),
    title: escapeForDisplay(title),
  }));
  const columns = computeColumnWidths(shownRules, layout);
  return joinTerminalLines(shownRules.flatMap((rule) => renderRuleLines(rule, columns, layout)));
};
