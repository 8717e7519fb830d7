/** One character in a percent-encoding, up to four times over, or in a JSON escape; hexadecimal digits in one of two groups. */
const encodedCharacter = /%(?:25){0,3}([0-9A-Fa-f]{2})|\\{1,4}u00([0-9A-Fa-f]{2})/gu;

/** No encoded character is longer. */
const longestEncoded = 9;

const decode = (text: string): string =>
  text.replaceAll(encodedCharacter, (_match, percent: string | undefined, escape: string | undefined) =>
    String.fromCharCode(Number.parseInt(percent ?? escape ?? "", 16)),
  );

let lastText = "";
let lastDecoded = "";

/** The same text is asked about for each secret, and decoding is what takes time. */
const decoded = (text: string): string => {
  if (text !== lastText) {
    lastText = text;
    lastDecoded = decode(text);
  }
  return lastDecoded;
};

/**
 * A quick test whether a value can occur in a text with any of its characters encoded: false only when it does not. For values
 * that are long and of letters, digits and `-._~`; for others it is always true.
 *
 * A decoder that reads from the left may take the first characters of an occurrence for the end of an encoded one before
 * it, fewer than the longest encoding has. From there on it reads what the occurrence says, because no such value holds
 * `%` or a backslash.
 */
export function occurrenceTest(value: string): (text: string) => boolean {
  const isPlain = /^[\w.~-]+$/u.test(value) && value.length >= 2 * longestEncoded;
  const certain = value.slice(longestEncoded - 1);
  return isPlain ? (text) => text.includes(value) || decoded(text).includes(certain) : () => true;
}
