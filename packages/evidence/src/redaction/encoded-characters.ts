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
const decodeCached = (text: string): string => {
  if (text !== lastText) {
    lastText = text;
    lastDecoded = decode(text);
  }
  return lastDecoded;
};

/**
 * Creates a fast test for a value with any of its characters encoded. The test may return true for a text without the value, but
 * never false for a text with it. For values that are short or contain other characters than letters, digits and `-._~`, it always
 * returns true.
 *
 * A decoder that reads from the left may take the first characters of an occurrence for the end of an encoded one before it,
 * but fewer than the maximum length of an encoding. From there on it decodes the occurrence correctly, because no such value
 * contains `%` or a backslash.
 */
export function createOccurrenceTest(value: string): (text: string) => boolean {
  const isPlain = /^[\w.~-]+$/u.test(value) && value.length >= 2 * maxEncodedLength;
  const unambiguousPart = value.slice(maxEncodedLength - 1);
  const occursEncoded = (text: string): boolean => {
    const decoded = decodeCached(text);
    return decoded !== text && decoded.includes(unambiguousPart);
  };
  return isPlain ? (text) => text.includes(value) || occursEncoded(text) : () => true;
}
