/** Characters that move the cursor, end a line or reorder text, and that JSON does not escape. */
const invisibleCharacters = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Makes JSON safe to print to a terminal or to the log of a build system. Escapes invisible characters, and `##[` and `##vso[`, which begin
 * commands of build systems. The value stays the same, because all of these occur in strings only.
 */
export const printableJson = (json: string): string =>
  json.replaceAll(/##(?=\[|vso\[)/giu, "#\\u0023").replaceAll(invisibleCharacters, escapeCharacter);
