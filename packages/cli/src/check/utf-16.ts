import { Buffer } from "node:buffer";

/**
 * The byte order of a text in UTF-16, by its byte order mark or by the zero bytes of its first two letters. Latin-1 has one character for
 * each byte.
 */
function orderOf(beginning: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const text = Buffer.from(beginning.subarray(0, 4)).toString("latin1");
  if (text.startsWith("\u00FF\u00FE") || littleEndian.test(text)) {
    return "utf-16le";
  }
  return text.startsWith("\u00FE\u00FF") || bigEndian.test(text) ? "utf-16be" : undefined;
}

const littleEndian = /^[\t\n\r -~]\0[\t\n\r -~]\0/u;
const bigEndian = /^\0[\t\n\r -~]\0[\t\n\r -~]/u;

/** Whether bytes begin like a text in UTF-16, which PowerShell 5 writes with `>`. */
export const isUtf16 = (beginning: Uint8Array): boolean => orderOf(beginning) !== undefined;

/** Converts UTF-16 to UTF-8 without a byte order mark; other bytes stay unchanged. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const order = orderOf(bytes);
  if (order === undefined) {
    return bytes;
  }
  const little = order === "utf-16le" ? Buffer.from(bytes) : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  return Buffer.from(little.toString("utf16le").replace(/^\uFEFF/u, ""), "utf8");
}
