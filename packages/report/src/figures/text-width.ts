import { displayColumns, fitting } from "../printers/terminal/display-columns.ts";

/** Part of the font size that a character takes on average, on the generous side: a label may be narrower, hardly ever wider. */
const columnPart = 0.62;

/** About how wide a text is, in the coordinates of a figure. */
export const textWidth = (text: string, fontSize: number): number => displayColumns(text) * columnPart * fontSize;

/** As much of a text as fits into a width, with an ellipsis where it was cut. */
export function cutToWidth(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) {
    return text;
  }
  return `${fitting(text, Math.max(0, Math.floor(width / (columnPart * fontSize)) - 1))}…`;
}
