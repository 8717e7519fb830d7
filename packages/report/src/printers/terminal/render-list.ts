import { displayColumns, padded } from "./display-columns.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";
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

const maxColumnsOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayColumns));

/** Computes column widths. Ids are not wrapped, so that they can be copied. The other columns share the remaining space. */
const columnsFor = (rules: readonly ListedRule[], { columns }: Page): Columns => {
  const id = maxColumnsOf(rules.map((rule) => rule.id));
  const natural = maxColumnsOf(rules.map((rule) => rule.basis));
  const room = columns - id - 2 * gap.length;
  const basis = Math.min(natural, room - minTitleColumns);
  return basis < Math.min(natural, minBasisColumns) ? { id, basis: natural } : { id, basis, title: room - basis };
};

const ruleLines = ({ id, basis, title }: ListedRule, columns: Columns, page: Page): readonly string[] => {
  const { paint } = page;
  if (columns.title === undefined) {
    const below = { columns: page.columns, indent: 4 };
    const fits = columns.id + gap.length + columns.basis <= page.columns;
    const start = fits
      ? [`${padded(id, columns.id)}${gap}${paint.dim(basis)}`]
      : [id, ...wrapIndented(basis, below).map(paint.dim)];
    return [...start, ...wrapIndented(title, below)];
  }
  const bases = wrapName(basis, columns.basis);
  const titles = wrapText(title, columns.title);
  return Array.from({ length: Math.max(bases.length, titles.length) }, (_, row) =>
    [
      padded(row === 0 ? id : "", columns.id),
      paint.dim(padded(bases[row] ?? "", columns.basis)),
      titles[row] ?? "",
    ].join(gap),
  );
};

/**
 * Renders a table of rules with id, basis and title, in order. If it is too wide, titles are wrapped, then bases. On a narrow terminal titles
 * are printed below their rules.
 */
export const renderList = (rules: readonly ListedRule[], options: PageOptions): string => {
  const page = pageOf(options);
  const shown = rules.map(({ id, basis, title }) => ({
    id: shownText(id, "name"),
    basis: shownText(basis, "name"),
    title: shownText(title),
  }));
  const columns = columnsFor(shown, page);
  return terminalText(shown.flatMap((rule) => ruleLines(rule, columns, page)));
};
