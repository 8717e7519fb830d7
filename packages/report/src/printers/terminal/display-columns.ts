import stringWidth from "string-width";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits text into grapheme clusters. */
export const splitCharacters = (text: string): readonly string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Returns the width of text without styles, in columns. Wide characters take two columns, and combining characters none. */
export const countDisplayColumns = (text: string): number => stringWidth(text);

/** Pads text with spaces to `columns`. Longer text is unchanged. */
export const padToColumns = (text: string, columns: number): string =>
  `${text}${" ".repeat(Math.max(0, columns - countDisplayColumns(text)))}`;

/** Returns the leading grapheme clusters that fit into `columns`. */
function takeFitting(characters: readonly string[], columns: number): readonly string[] {
  let usedColumns = 0;
  const end = characters.findIndex((character) => (usedColumns += countDisplayColumns(character)) > columns);
  return end === -1 ? characters : characters.slice(0, end);
}

/** Returns the beginning of text that fits into `columns`. */
export const takeFittingStart = (text: string, columns: number): string =>
  takeFitting(splitCharacters(text), columns).join("");

/** Returns the end of text that fits into `columns`. */
export const takeFittingEnd = (text: string, columns: number): string =>
  [...takeFitting(splitCharacters(text).toReversed(), columns)].toReversed().join("");
