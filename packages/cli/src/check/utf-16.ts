import { Buffer } from "node:buffer";

const littleEndianPattern = /^[\t\n\r -~]\0[\t\n\r -~]\0/u;
const bigEndianPattern = /^\0[\t\n\r -~]\0[\t\n\r -~]/u;

/**
 * Returns the byte order of UTF-16 text, detected by its byte order mark or by the zero bytes of its first two
 * characters. The bytes are decoded as Latin-1 so that the patterns match single bytes.
 */
function detectByteOrder(prefix: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const text = Buffer.from(prefix.subarray(0, 4)).toString("latin1");
  if (text.startsWith("\u00FF\u00FE") || littleEndianPattern.test(text)) {
    return "utf-16le";
  }
  return text.startsWith("\u00FE\u00FF") || bigEndianPattern.test(text) ? "utf-16be" : undefined;
}

/** Reports whether bytes start like UTF-16 text. PowerShell 5 writes UTF-16 when output is redirected with `>`. */
export const isUtf16 = (prefix: Uint8Array): boolean => detectByteOrder(prefix) !== undefined;

/** Converts UTF-16 to UTF-8 without a byte order mark. Returns other bytes unchanged. */
export function convertToUtf8(bytes: Uint8Array): Uint8Array {
  const order = detectByteOrder(bytes);
  if (order === undefined) {
    return bytes;
  }
  // `& ~1` drops a trailing odd byte.
  const littleEndianBytes =
    order === "utf-16le" ? Buffer.from(bytes) : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  return Buffer.from(littleEndianBytes.toString("utf16le").replace(/^\uFEFF/u, ""), "utf8");
}
