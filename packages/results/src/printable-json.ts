/** What moves the cursor, ends a line or reorders text where JSON allows it as it is. */
const invisible = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * JSON that may be printed to a terminal or to the log of a build system: `##[` and `##vso[`, which begin commands of such
 * systems, and characters that nobody sees are written as escapes. It means what it meant, since all of them can stand in texts only.
 */
export const printableJson = (json: string): string =>
  json.replaceAll(/##(?=\[|vso\[)/giu, "#\\u0023").replaceAll(invisible, escaped);
