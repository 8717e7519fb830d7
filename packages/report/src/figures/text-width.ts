import { countDisplayColumns, takeFittingStart } from "../printers/terminal/display-columns.ts";

/** Average width of a character relative to the font size. Generous: labels are hardly ever wider. */
const columnPart = 0.62;

/** Estimates the width of a text in the coordinates of a figure. */
export const measureTextWidth = (text: string, fontSize: number): number =>
  countDisplayColumns(text) * columnPart * fontSize;

/** Cuts text to a width, with an ellipsis if it was cut. */
export function cutToWidth(text: string, width: number, fontSize: number): string {
  if (measureTextWidth(text, fontSize) <= width) {
    return text;
  }
  return `${takeFittingStart(text, Math.max(0, Math.floor(width / (columnPart * fontSize)) - 1))}…`;
}
