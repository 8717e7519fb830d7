import type { Excerpt } from "@assay/results";
import { countDisplayColumns, takeFittingStart, takeFittingEnd } from "./display-columns.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";

const cutMiddle = (text: string, columns: number): string => {
  if (countDisplayColumns(text) <= columns) {
    return text;
  }
  const half = Math.floor((columns - 1) / 2);
  return `${takeFittingStart(text, half)}…${takeFittingEnd(text, columns - 1 - half)}`;
};

const cutStart = (text: string, columns: number): string =>
  countDisplayColumns(text) <= columns ? text : `…${takeFittingEnd(text, columns - 1)}`;

const cutEnd = (text: string, columns: number): string =>
  countDisplayColumns(text) <= columns ? text : `${takeFittingStart(text, columns - 1)}…`;

/**
 * Returns the bytes of an excerpt truncated to `columns` so that the marked ones are visible, and a line of carets below them. If no byte is
 * marked, data is missing, and one caret is under the following byte.
 */
export const createMarkedExcerpt = (excerpt: Excerpt, columns: number) => {
  const marked = cutMiddle(escapeForDisplay(excerpt.marked), Math.floor(columns / 2));
  const remainingColumns = columns - countDisplayColumns(marked);
  const after = escapeForDisplay(excerpt.after, "excerptSide");
  const before = cutStart(
    escapeForDisplay(excerpt.before, "sentence"),
    Math.max(Math.ceil(remainingColumns / 2), remainingColumns - countDisplayColumns(after)),
  );
  const indent = countDisplayColumns(before);
  return {
    before,
    marked,
    after: cutEnd(after, remainingColumns - indent),
    carets: `${" ".repeat(indent)}${"^".repeat(Math.max(1, countDisplayColumns(marked)))}`,
  };
};
