import type { Excerpt } from "@assay/results";
import { displayColumns, fittingStart, fittingEnd } from "./display-columns.ts";
import { shownText } from "../../document/shown-text.ts";

const cutMiddle = (text: string, columns: number): string => {
  if (displayColumns(text) <= columns) {
    return text;
  }
  const half = Math.floor((columns - 1) / 2);
  return `${fittingStart(text, half)}…${fittingEnd(text, columns - 1 - half)}`;
};

const cutStart = (text: string, columns: number): string =>
  displayColumns(text) <= columns ? text : `…${fittingEnd(text, columns - 1)}`;

const cutEnd = (text: string, columns: number): string =>
  displayColumns(text) <= columns ? text : `${fittingStart(text, columns - 1)}…`;

/**
 * Returns the bytes of an excerpt truncated to `columns` so that the marked ones are visible, and a line of carets below them. If no byte is
 * marked, data is missing, and one caret is under the following byte.
 */
export const markedExcerpt = (excerpt: Excerpt, columns: number) => {
  const marked = cutMiddle(shownText(excerpt.marked), Math.floor(columns / 2));
  const remainingColumns = columns - displayColumns(marked);
  const after = shownText(excerpt.after, "excerptSide");
  const before = cutStart(
    shownText(excerpt.before, "sentence"),
    Math.max(Math.ceil(remainingColumns / 2), remainingColumns - displayColumns(after)),
  );
  const indent = displayColumns(before);
  return {
    before,
    marked,
    after: cutEnd(after, remainingColumns - indent),
    carets: `${" ".repeat(indent)}${"^".repeat(Math.max(1, displayColumns(marked)))}`,
  };
};
