import { textDigest } from "./text-digest.ts";

const maxCharacters = 80;
const maxKeyCharacters = 256;

/**
 * A copy of the beginning of a text. A slice would keep the whole text in memory for as long as it lives itself; what is written
 * and read again does not.
 */
function copiedStart(text: string, length: number): string {
  const copy: string = JSON.parse(JSON.stringify(text.slice(0, length)));
  return copy;
}

/** A copy that keeps nothing else in memory. */
export const copiedText = (text: string): string => copiedStart(text, text.length);

const isPlain = (unit: number): boolean =>
  unit > 31 && (unit < 127 || unit > 159) && (unit < 0xd8_00 || unit > 0xdf_ff);

const replaced = (text: string): string =>
  Array.from(text, (character) =>
    character.length > 1 || isPlain(character.charCodeAt(0)) ? character : "\u{FFFD}",
  ).join("");

/** Texts without any character that could have to be replaced. */
const plain = /^[ -~]*$/;

/** A text of a target as a finding shows it: at most 80 characters, and none that a terminal obeys. */
export function excerpt(text: string): string {
  const start = copiedStart(text, text.length > maxCharacters ? maxCharacters - 1 : maxCharacters);
  const safe = plain.test(start) ? start : replaced(start);
  return text.length > maxCharacters ? `${safe}…` : safe;
}

/** The text itself as a key, unless it is so long that nobody should keep it. */
export const boundedKey = (text: string): string =>
  text.length > maxKeyCharacters
    ? `${copiedStart(text, maxKeyCharacters)}… (${text.length} characters, ${textDigest(text).toString(16)})`
    : text;
