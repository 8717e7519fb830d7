import { isUtf8 } from "node:buffer";

/** Returns the length of the UTF-8 sequence that starts with this byte, or 0 if the byte cannot start a sequence. */
const sequenceLength = (leadByte: number): number => {
  if (leadByte < 0x80) {
    return 1;
  }
  if (leadByte < 0xc2 || leadByte > 0xf4) {
    return 0;
  }
  if (leadByte < 0xe0) {
    return 2;
  }
  return leadByte < 0xf0 ? 3 : 4;
};

/**
 * Decodes bytes as Go does, because the real service is written in Go: each byte that is not valid UTF-8 becomes one
 * U+FFFD. The WHATWG decoder replaces some invalid sequences with a single U+FFFD, which would shift columns.
 */
export const decodeGoText = (bytes: Buffer): string => {
  if (isUtf8(bytes)) {
    return bytes.toString("utf8");
  }
  let text = "";
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes[index] ?? 0);
    const sequence = bytes.subarray(index, index + length);
    const isValid = length > 0 && sequence.length === length && isUtf8(sequence);
    text += isValid ? sequence.toString("utf8") : "\u{fffd}";
    index += isValid ? length : 1;
  }
  return text;
};

/** Returns the number of code points in the decoded bytes. An invalid byte is one code point. */
export const countCodePoints = (bytes: Buffer): number => {
  const text = decodeGoText(bytes);
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    // The low half of a surrogate pair is not a code point of its own.
    count -= (text.charCodeAt(index) & 0xfc00) === 0xdc00 ? 1 : 0;
  }
  return count;
};
