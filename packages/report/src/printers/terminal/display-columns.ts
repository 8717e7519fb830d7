import stringWidth from "string-width";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The grapheme clusters of a text. */
export const charactersOf = (text: string): readonly string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Columns of a text without styles; wide characters take two, combining ones none. */
export const displayColumns = (text: string): number => stringWidth(text);

/** The text padded with spaces to `columns`; a longer text is unchanged. */
export const padded = (text: string, columns: number): string =>
  `${text}${" ".repeat(Math.max(0, columns - displayColumns(text)))}`;

/** The first characters that fit into `columns`. */
function fittingCharacters(characters: readonly string[], columns: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += displayColumns(character)) > columns);
  return end === -1 ? characters : characters.slice(0, end);
}

/** The beginning of a text that fits into `columns`. */
export const fitting = (text: string, columns: number): string =>
  fittingCharacters(charactersOf(text), columns).join("");

/** The end of a text that fits into `columns`. */
export const fittingEnd = (text: string, columns: number): string =>
  [...fittingCharacters(charactersOf(text).toReversed(), columns)].toReversed().join("");
