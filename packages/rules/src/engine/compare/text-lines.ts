/**
 * Returns the lines of a text, without their line ends. A text that ends with a line feed has an empty last line. A
 * carriage return ends a line only before a line feed or at the end of the text.
 */
export const textLines = (text: string): readonly string[] =>
  text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));

/**
 * Reports whether a line is evidence. An empty line is not. A line with invalid bytes is not either, because the target
 * may replace them in several ways.
 */
export const isConclusiveLine = (line: string): boolean => line !== "" && !line.includes("\u{FFFD}");

/** Reports whether a text has more than `max` code points. Counts in bytes or UTF-16 units are at least as large. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) {
    return false;
  }
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > max) {
      return true;
    }
  }
  return false;
}
