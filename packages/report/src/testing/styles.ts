const style = new RegExp(`${String.fromCodePoint(0x1b)}\\[[0-9;]*m`, "gu");

/** The text without escape sequences of colours. */
export const withoutStyles = (text: string): string => text.replaceAll(style, "");

/** Characters that move the cursor, reorder or hide text, without line feeds and spaces. */
export const hiddenCharacters = (text: string): readonly string[] =>
  text.match(/(?![\n\u200B])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu) ?? [];
