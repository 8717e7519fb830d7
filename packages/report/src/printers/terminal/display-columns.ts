import stringWidth from "string-width";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What a reader takes for one character each. */
export const charactersOf = (text: string): readonly string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** How many columns of a terminal a text without styles takes; wide characters take two, combining ones none. */
export const displayColumns = (text: string): number => stringWidth(text);

/** The text filled up with spaces to `columns`; a longer text stays as it is. */
export const padded = (text: string, columns: number): string =>
  `${text}${" ".repeat(Math.max(0, columns - displayColumns(text)))}`;

/** As many of these characters, from the first, as fit into `columns`. */
function fittingCharacters(characters: readonly string[], columns: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += displayColumns(character)) > columns);
  return end === -1 ? characters : characters.slice(0, end);
}

/** As much of the beginning of a text as fits into `columns`. */
export const fitting = (text: string, columns: number): string =>
  fittingCharacters(charactersOf(text), columns).join("");

/** As much of the end of a text as fits into `columns`. */
export const fittingEnd = (text: string, columns: number): string =>
  [...fittingCharacters(charactersOf(text).toReversed(), columns)].toReversed().join("");
