import type { Replacements } from "./replacement.ts";

/** Characters of a JSON document outside its strings, with enough digits to replace. */
const outsideStrings = /^(?=(?:\D*\d){4})[-+.,:{}[\]\s\deE]+$/;
const escapeOrQuote = /\\(?:u[\dA-Fa-f]{4}|[^])|"/g;

const hasBareQuote = (text: string): boolean => text.match(escapeOrQuote)?.includes('"') ?? false;

/**
 * What stands in place of a known secret, of the length of the text that was found: letters and digits, but only digits
 * for digits where the text could be a number of JSON, and structure as it was where the text reaches out of a string.
 */
function replacementOf(value: string, found: string, replacements: Replacements): string {
  if (outsideStrings.test(found)) {
    return replacements.ofNumber(value, found);
  }
  return hasBareQuote(found) ? replacements.ofJson(value, found) : replacements.spelled(value, found.length);
}

/** How many characters right before `at` are backslashes. */
function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") {
    count++;
  }
  return count;
}

/** How many characters before `at` the JSON escape began that goes on at `at`, and how many of it are left; or none. */
function openEscape(text: string, at: number): { readonly before: number; readonly left: number } {
  if (backslashesBefore(text, at) % 2 === 1) {
    return { before: 1, left: text.charAt(at) === "u" ? 5 : 1 };
  }
  const [unicode = ""] = /\\u[\dA-Fa-f]{0,3}$/.exec(text.slice(Math.max(0, at - 5), at)) ?? [];
  const isEscape = unicode !== "" && backslashesBefore(text, at - unicode.length) % 2 === 0;
  return isEscape ? { before: unicode.length, left: 6 - unicode.length } : { before: 0, left: 0 };
}

/** A secret that was found: where, and as what. */
export interface Found {
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/**
 * What stands in place of a secret where it was found, so that JSON around it stays JSON: a part of an escape that began
 * before, or that goes on behind, is left as it is.
 */
export function replaceFound(value: string, { text, at, length }: Found, replacements: Replacements): string {
  const end = at + length;
  const from = Math.min(end, at + openEscape(text, at).left);
  const to = Math.max(from, end - openEscape(text, end).before);
  return text.slice(at, from) + replacementOf(value, text.slice(from, to), replacements) + text.slice(to, end);
}
