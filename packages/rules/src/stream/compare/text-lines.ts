/**
 * The lines of a text, without their line ends; a text that ends with a line feed has an empty line at its end. A carriage
 * return ends a line only in front of a line feed or at the end of the text.
 */
export const textLines = (text: string): readonly string[] =>
  text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));

/** Whether a text has more code points than this; they are the fewest units that a length can be counted in. */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) {
    return false;
  }
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > most) {
      return true;
    }
  }
  return false;
}
