const style = new RegExp(`${String.fromCodePoint(0x1b)}\\[[0-9;]*m`, "gu");

/** The text without the styles that colours are made of, and without anything else taken away. */
export const withoutStyles = (text: string): string => text.replaceAll(style, "");

/** Characters that move the cursor, reorder or hide text; a line feed and the spaces that part commands are none. */
export const hiddenCharacters = (text: string): readonly string[] =>
  text.match(/(?![\n\u200B])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu) ?? [];
