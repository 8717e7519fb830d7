/**
 * One percent-encoded character, encoded up to four times, or one JSON escape. The hexadecimal digits are in one of two
 * groups.
 */
const encodedCharacter = /%(?:25){0,3}([0-9A-Fa-f]{2})|\\{1,4}u00([0-9A-Fa-f]{2})/gu;

/** Maximum length of an encoded character. */
const maxEncodedLength = 9;

/** Decodes the encoded characters of a text once, from the left. Returns the text itself if it contains none. */
export const decodeCharacters = (text: string): string =>
  text.replaceAll(encodedCharacter, (_match, percent: string | undefined, escape: string | undefined) =>
    String.fromCharCode(Number.parseInt(percent ?? escape ?? "", 16)),
  );

/**
 * Returns the part of a value that a text contains after decoding, if it contains the value with any of its characters encoded. Undefined
 * for values that are short or contain other characters than letters, digits and `-._~`.
 *
 * A decoder that reads from the left may take the first characters of an occurrence for the end of an encoded one before it,
 * but fewer than the maximum length of an encoding. From there on it decodes the occurrence correctly, because no such value
 * contains `%` or a backslash.
 */
export const findDecodablePart = (value: string): string | undefined =>
  /^[\w.~-]+$/u.test(value) && value.length >= 2 * maxEncodedLength ? value.slice(maxEncodedLength - 1) : undefined;
