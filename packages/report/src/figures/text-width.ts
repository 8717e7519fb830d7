import { displayColumns, fitting } from "../printers/terminal/display-columns.ts";

/** Average width of a character as a part of the font size, generous: labels are hardly ever wider. */
const columnPart = 0.62;

/** Estimated width of a text in the coordinates of a figure. */
export const textWidth = (text: string, fontSize: number): number => displayColumns(text) * columnPart * fontSize;

/** The text cut to a width, with an ellipsis if it was cut. */
export function cutToWidth(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) {
    return text;
  }
  return `${fitting(text, Math.max(0, Math.floor(width / (columnPart * fontSize)) - 1))}…`;
}
