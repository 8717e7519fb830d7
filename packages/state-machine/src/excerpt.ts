import { textDigest } from "./text-digest.ts";

const maxCharacters = 80;
const maxKeyCharacters = 256;

/** A copy of the beginning of a text. A slice would keep the whole text in memory for as long as it lives itself. */
const copiedStart = (text: string, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => text.charCodeAt(index)));

/** A copy that keeps nothing else in memory. */
export const copiedText = (text: string): string => copiedStart(text, text.length);

const isPlain = (unit: number): boolean =>
  unit > 31 && (unit < 127 || unit > 159) && (unit < 0xd8_00 || unit > 0xdf_ff);

/** A text of a target as a finding shows it: at most 80 characters, and none that a terminal obeys. */
export function excerpt(text: string): string {
  const start = text.length > maxCharacters ? copiedStart(text, maxCharacters - 1) : text;
  const safe = Array.from(start, (character) =>
    character.length > 1 || isPlain(character.charCodeAt(0)) ? character : "\u{FFFD}",
  ).join("");
  return text.length > maxCharacters ? `${safe}…` : safe;
}

/** The text itself as a key, unless it is so long that nobody should keep it. */
export const boundedKey = (text: string): string =>
  text.length > maxKeyCharacters
    ? `${copiedStart(text, maxKeyCharacters)}… (${text.length} characters, ${textDigest(text).toString(16)})`
    : text;
