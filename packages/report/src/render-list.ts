import { displayColumns, padded } from "./display-columns.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** What a list of rules shows of each. */
export interface ListedRule {
  readonly id: string;
  readonly basis: string;
  readonly title: string;
}

const gap = "  ";
/** With less room than this for titles, each title goes below its rule. */
const narrowestTitle = 28;

interface Columns {
  readonly id: number;
  readonly basis: number;
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayColumns));

const ruleLines = ({ id, basis, title }: ListedRule, columns: Columns, page: Page): readonly string[] => {
  const start = `${padded(id, columns.id)}${gap}${page.paint.dim(padded(basis, columns.basis))}`;
  const indent = columns.id + columns.basis + 2 * gap.length;
  if (page.columns - indent < narrowestTitle) {
    return [start, ...wrapIndented(title, { columns: page.columns, indent: 4 })];
  }
  const [first, ...rest] = wrapText(title, page.columns - indent);
  return [`${start}${gap}${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
};

/** A table of rules with id, basis and title, in the order given; on a narrow page a title stands below its rule. */
export const renderList = (rules: readonly ListedRule[], options: PageOptions): string => {
  const page = pageOf(options);
  const shown = rules.map(({ id, basis, title }) => ({
    id: shownText(id, "name"),
    basis: shownText(basis, "name"),
    title: shownText(title),
  }));
  const columns = { id: widest(shown.map(({ id }) => id)), basis: widest(shown.map(({ basis }) => basis)) };
  return terminalText(shown.flatMap((rule) => ruleLines(rule, columns, page)));
};
