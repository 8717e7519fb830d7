const wide =
  /[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const narrowest = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

const columnsOfCharacter = (character: string): number => {
  if (wide.test(character)) {
    return 2;
  }
  return narrowest.test(character) ? 0 : 1;
};

/** How many columns of a terminal a text without styles takes; wide characters take two, combining ones none. */
export const displayColumns = (text: string): number =>
  Array.from(text, columnsOfCharacter).reduce((sum, columns) => sum + columns, 0);

/** The text filled up with spaces to `columns`; a longer text stays as it is. */
export const padded = (text: string, columns: number): string =>
  `${text}${" ".repeat(Math.max(0, columns - displayColumns(text)))}`;

/** As much of the beginning of a text as fits into `columns`. */
export const fitting = (text: string, columns: number): string => {
  let used = 0;
  let length = 0;
  for (const character of text) {
    used += columnsOfCharacter(character);
    if (used > columns) {
      return text.slice(0, length);
    }
    length += character.length;
  }
  return text;
};

/** As much of the end of a text as fits into `columns`. */
export const fittingEnd = (text: string, columns: number): string => {
  const characters = Array.from(text).reverse();
  const kept = Array.from(fitting(characters.join(""), columns));
  return characters.slice(0, kept.length).reverse().join("");
};
