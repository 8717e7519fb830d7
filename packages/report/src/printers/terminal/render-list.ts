import { displayColumns, padded } from "./display-columns.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { wrapIndented, wrapName, wrapText } from "./wrap-text.ts";

/** What a list of rules shows of each. */
export interface ListedRule {
  readonly id: string;
  readonly basis: string;
  readonly title: string;
}

const behaviour = "  ";
/** With less room than this for titles, what stands between id and title is wrapped too. */
const narrowestTitle = 28;
/** With less room than this for what stands between, each title goes below its rule. */
const narrowestBasis = 16;

interface Columns {
  readonly id: number;
  readonly basis: number;
  /** Absent where titles stand below. */
  readonly title?: number;
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayColumns));

/** An id is never broken, so that it can be copied; the rest shares what is left. */
const columnsFor = (rules: readonly ListedRule[], { columns }: Page): Columns => {
  const id = widest(rules.map((rule) => rule.id));
  const natural = widest(rules.map((rule) => rule.basis));
  const room = columns - id - 2 * behaviour.length;
  const basis = Math.min(natural, room - narrowestTitle);
  return basis < Math.min(natural, narrowestBasis) ? { id, basis: natural } : { id, basis, title: room - basis };
};

const ruleLines = ({ id, basis, title }: ListedRule, columns: Columns, page: Page): readonly string[] => {
  const { paint } = page;
  if (columns.title === undefined) {
    const below = { columns: page.columns, indent: 4 };
    const fits = columns.id + behaviour.length + columns.basis <= page.columns;
    const start = fits
      ? [`${padded(id, columns.id)}${behaviour}${paint.dim(basis)}`]
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
    ].join(behaviour),
  );
};

/**
 * A table of rules with id, basis and title, in the order given. Where it is too wide the titles are wrapped, then what
 * stands before them; on a narrow page a title stands below its rule.
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
