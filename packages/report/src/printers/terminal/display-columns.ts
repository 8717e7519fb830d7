import { eastAsianWidth } from "get-east-asian-width";

// Both are created on first use, because that takes longer than printing most outputs.
let graphemes: Intl.Segmenter | undefined;
let emoji: RegExp | undefined;

/** Splits text into grapheme clusters. */
export const splitCharacters = (text: string): readonly string[] => {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
};

/** Text in characters of one column each: ASCII, and the signs that Assay prints. */
const narrowText = /^[ -~·§–…─│←→✓✗]*$/u;

const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Mark}\p{Surrogate}]+$/u;

const countCharacterColumns = (character: string): number => {
  if (invisible.test(character)) {
    return 0;
  }
  emoji ??= new RegExp(String.raw`^\p{RGI_Emoji}$`, "v");
  return emoji.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
};

/** Returns the width of text without styles, in columns. Wide characters take two columns, and combining characters none. */
export const countDisplayColumns = (text: string): number =>
  narrowText.test(text)
    ? text.length
    : splitCharacters(text).reduce((columns, character) => columns + countCharacterColumns(character), 0);

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
