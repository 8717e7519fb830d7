/**
 * One percent-encoded character, encoded up to four times, or one JSON escape. The hexadecimal digits are in one of two
 * groups.
 */
const encodedCharacter = /%(?:25){0,3}([0-9A-Fa-f]{2})|\\{1,4}u00([0-9A-Fa-f]{2})/gu;

/** Maximum length of an encoded character. */
const maxEncodedLength = 9;

const decode = (text: string): string =>
  text.replaceAll(encodedCharacter, (_match, percent: string | undefined, escape: string | undefined) =>
    String.fromCharCode(Number.parseInt(percent ?? escape ?? "", 16)),
  );

let lastText = "";
let lastDecoded = "";

/** The same text is tested for each secret, and decoding is slow, so the last result is cached. */
const decoded = (text: string): string => {
  if (text !== lastText) {
    lastText = text;
    lastDecoded = decode(text);
  }
  return lastDecoded;
};

/**
 * Returns a fast test whether a value can occur in a text with any of its characters encoded. `false` is certain. Only for
 * long values of letters, digits and `-._~`; for other values the test always returns true.
 *
 * A decoder that reads from the left may take the first characters of an occurrence for the end of an encoded one before it,
 * but fewer than the maximum length of an encoding. From there on it decodes the occurrence correctly, because no such value
 * contains `%` or a backslash.
 */
export function occurrenceTest(value: string): (text: string) => boolean {
  const isPlain = /^[\w.~-]+$/u.test(value) && value.length >= 2 * maxEncodedLength;
  const certain = value.slice(maxEncodedLength - 1);
  return isPlain ? (text) => text.includes(value) || decoded(text).includes(certain) : () => true;
}
