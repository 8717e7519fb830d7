import { Buffer, isUtf8 } from "node:buffer";

// Control characters, format characters (bidi overrides, zero-width), default-ignorables, line and paragraph separators and
// lone surrogates: everything that moves the cursor, reorders or hides text.
const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const createByteEscape = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

function escapeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return (
    shortEscapes[character] ?? (codePoint < 0x100 ? createByteEscape(codePoint) : `\\u{${codePoint.toString(16)}}`)
  );
}

/** Returns the length of the valid UTF-8 sequence at `start`, or 0. */
function sequenceLength(bytes: Uint8Array, start: number): number {
  return (
    [1, 2, 3, 4].find((length) => start + length <= bytes.length && isUtf8(bytes.subarray(start, start + length))) ?? 0
  );
}

function* escapeBytes(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString("utf8");
    yield length === 0 ? createByteEscape(bytes[at] ?? 0) : text.replace(hiddenCharacter, escapeCharacter);
    at += Math.max(1, length);
  }
}

/**
 * Returns the first bytes, enough for `maxLength` characters and one more, up to the end of a character. A character has at most four
 * bytes. Returns undefined if they are not UTF-8.
 */
function validHead(bytes: Uint8Array, maxLength: number): Uint8Array | undefined {
  const longestHead = bytes.subarray(0, 4 * (maxLength + 1));
  const cuts = longestHead.length < bytes.length ? [0, 1, 2, 3] : [0];
  return cuts.map((cut) => longestHead.subarray(0, longestHead.length - cut)).find((head) => isUtf8(head));
}

/** Decodes as much UTF-8 as `maxLength` characters need. Returns other bytes unchanged. */
function decodeIfUtf8(input: string | Uint8Array, maxLength: number): string | Uint8Array {
  if (typeof input === "string") {
    return input;
  }
  const head = validHead(input, maxLength);
  return head === undefined ? input : Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("utf8");
}

function* escapeText(text: string): Generator<string> {
  for (const character of text) {
    yield character.replace(hiddenCharacter, escapeCharacter);
  }
}

const isUnchanged = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.search(hiddenCharacter) === -1;

/**
 * Makes text of a server safe to show on one line. Characters that move the cursor, reorder or hide text become visible escapes (`\n`,
 * `\x1b`, `\u{202e}`). Bytes that are not UTF-8 become `\xNN`. Backslashes are kept, so escaping twice has no effect. Text longer than
 * `maxLength` characters [unlimited] is truncated, never inside an escape, and ends in `…`.
 */
export function visibleText(given: string | Uint8Array, maxLength = Number.POSITIVE_INFINITY): string {
  const input = decodeIfUtf8(given, maxLength);
  if (typeof input === "string" && isUnchanged(input, maxLength)) {
    return input;
  }
  const pieces: string[] = [];
  let length = 0;
  let pieceCountBeforeEllipsis = 0;
  for (const piece of typeof input === "string" ? escapeText(input) : escapeBytes(input)) {
    if (length + piece.length > maxLength) {
      return `${pieces.slice(0, pieceCountBeforeEllipsis).join("")}${maxLength >= 1 ? "…" : ""}`;
    }
    pieces.push(piece);
    length += piece.length;
    if (length < maxLength) {
      pieceCountBeforeEllipsis = pieces.length;
    }
  }
  return pieces.join("");
}
