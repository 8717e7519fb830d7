import { Buffer } from "node:buffer";

/**
 * Returns the byte order of UTF-16 text, detected by its byte order mark or by the zero bytes of its first two characters. Latin-1 maps
 * each byte to one character.
 */
function detectByteOrder(beginning: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const text = Buffer.from(beginning.subarray(0, 4)).toString("latin1");
  if (text.startsWith("\u00FF\u00FE") || littleEndianPattern.test(text)) {
    return "utf-16le";
  }
  return text.startsWith("\u00FE\u00FF") || bigEndianPattern.test(text) ? "utf-16be" : undefined;
}

const littleEndianPattern = /^[\t\n\r -~]\0[\t\n\r -~]\0/u;
const bigEndianPattern = /^\0[\t\n\r -~]\0[\t\n\r -~]/u;

/** Reports whether bytes begin like UTF-16 text, which PowerShell 5 writes with `>`. */
export const isUtf16 = (beginning: Uint8Array): boolean => detectByteOrder(beginning) !== undefined;

/** Converts UTF-16 to UTF-8 without a byte order mark. Returns other bytes unchanged. */
export function convertToUtf8(bytes: Uint8Array): Uint8Array {
  const order = detectByteOrder(bytes);
  if (order === undefined) {
    return bytes;
  }
  const littleEndianBytes =
    order === "utf-16le" ? Buffer.from(bytes) : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  return Buffer.from(littleEndianBytes.toString("utf16le").replace(/^\uFEFF/u, ""), "utf8");
}
