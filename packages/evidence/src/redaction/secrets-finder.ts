import { Buffer } from "node:buffer";
import { unpackedRuns } from "./packed-runs.ts";

/** The code units of a decoded text and their original offsets. */
interface Unwrapped {
  readonly text: string;
  readonly from: Uint32Array;
}

const punctuation =
  "excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ underbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}";
const named = new Map(punctuation.split(" ").map((entry) => [entry.slice(0, -1), entry.slice(-1)]));
const maxNameLength = 8;

/** A decoded character and its encoded length; undefined if nothing is encoded. */
type DecodedCharacter = readonly [character: string, length: number] | undefined;

const readHexDigit = (code: number): number => {
  if (code >= 48 && code <= 57) {
    return code - 48;
  }
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** Parses up to `maxDigits` digits of base 10 or 16. The value is -1 without any. */
function numberAt(
  text: string,
  at: number,
  { base, maxDigits }: { readonly base: 10 | 16; readonly maxDigits: number },
) {
  let value = 0;
  let length = 0;
  for (; length < maxDigits; length += 1) {
    const digit = at + length < text.length ? readHexDigit(text.charCodeAt(at + length)) : -1;
    if (digit < 0 || digit >= base) {
      break;
    }
    value = value * base + digit;
  }
  return { value: length === 0 ? -1 : value, length };
}

function exactHex(text: string, at: number, digits: number): number {
  const { value, length } = numberAt(text, at, { base: 16, maxDigits: digits });
  return length === digits ? value : -1;
}

const utf8 = (point: number): string =>
  point < 128 ? String.fromCharCode(point) : Buffer.from(String.fromCodePoint(point), "utf8").toString("latin1");

/** The character of a code point; undefined for invalid ones. */
const numbered = (point: number, length: number): DecodedCharacter =>
  point < 0 || point > 0x10ffff ? undefined : [utf8(point), length];

function entityAt(text: string, at: number): DecodedCharacter {
  const end = (length: number): number => (text[at + length] === ";" ? length + 1 : length);
  if (text[at + 1] === "#") {
    const isHex = text[at + 2] === "x" || text[at + 2] === "X";
    const start = isHex ? 3 : 2;
    const { value, length } = numberAt(text, at + start, { base: isHex ? 16 : 10, maxDigits: 12 });
    return numbered(value, end(start + length));
  }
  for (let length = maxNameLength; length > 1; length -= 1) {
    const character = named.get(text.slice(at + 1, at + 1 + length).toLowerCase());
    if (character !== undefined) {
      return [character, end(1 + length)];
    }
  }
  return undefined;
}

function unicodeAt(text: string, at: number, before: number): DecodedCharacter {
  if (text[at] === "{") {
    const { value, length } = numberAt(text, at + 1, { base: 16, maxDigits: 12 });
    return text[at + 1 + length] === "}" ? numbered(value, before + 2 + length) : undefined;
  }
  return numbered(exactHex(text, at, 4), before + 4);
}

/** Decodes an escape after one or more backslashes. */
function escapeAt(text: string, at: number): DecodedCharacter {
  let slashes = 1;
  while (slashes < 8 && text[at + slashes] === "\\") {
    slashes += 1;
  }
  const letter = text[at + slashes] ?? "";
  const next = at + slashes + 1;
  if ("xX".includes(letter) && letter !== "") {
    const byte = exactHex(text, next, 2);
    return byte < 0 ? undefined : [String.fromCharCode(byte), slashes + 3];
  }
  if ("uU".includes(letter) && letter !== "") {
    return unicodeAt(text, next, slashes + 1);
  }
  if ("\"'/".includes(letter) && letter !== "") {
    return [letter, slashes + 1];
  }
  return slashes > 1 ? ["\\", slashes] : undefined;
}

function percentAt(text: string, at: number): DecodedCharacter {
  let start = at + 1;
  for (let layer = 0; layer < 3 && text.startsWith("25", start); layer += 1) {
    start += 2;
  }
  for (; start > at; start -= 2) {
    if (text[start] === "u" || text[start] === "U") {
      return numbered(exactHex(text, start + 1, 4), start + 5 - at);
    }
    const byte = exactHex(text, start, 2);
    if (byte >= 0) {
      return [String.fromCharCode(byte), start + 2 - at];
    }
  }
  return undefined;
}

function printableAt(text: string, at: number): DecodedCharacter {
  const line = ["\n", "\r\n", "\\n", "\\r\\n"].find((end) => text.startsWith(end, at + 1));
  if (line !== undefined) {
    return ["", 1 + line.length];
  }
  const byte = exactHex(text, at + 1, 2);
  return byte < 0 ? undefined : [String.fromCharCode(byte), 3];
}

function decodedAt(text: string, at: number, wrapping: Wrapping): DecodedCharacter {
  const character = text.charCodeAt(at);
  if (character === 61) {
    return wrapping === "usual" || wrapping === "percent" ? undefined : printableAt(text, at);
  }
  if (wrapping === "percent") {
    return character === 37 ? percentAt(text, at) : undefined;
  }
  switch (wrapping === "printable" ? 0 : character) {
    case 38:
      return entityAt(text, at);
    case 92:
      return escapeAt(text, at);
    case 37:
      return percentAt(text, at);
    default:
      return undefined;
  }
}

const bits: Readonly<Record<Wrapping, number>> = { percent: 1, usual: 2, printable: 4, both: 8 };

/** By character: one bit for each wrapping whose encodings may begin with it. */
const beginnings = new Uint8Array(256);
beginnings.fill(bits.usual | bits.both, 38, 39);
beginnings.fill(bits.usual | bits.both, 92, 93);
beginnings.fill(bits.percent | bits.usual | bits.both, 37, 38);
beginnings.fill(bits.printable | bits.both, 61, 62);

/** Offset of the next possible encoding; the length of the text if there is none. */
function nextBeginning(text: string, start: number, bit: number): number {
  let at = start;
  while (at < text.length && ((beginnings[text.charCodeAt(at)] ?? 0) & bit) === 0) {
    at += 1;
  }
  return at;
}

/** Offset of the first encoding; the length of the text if there is none. */
function firstEncoded(text: string, wrapping: Wrapping): number {
  const bit = bits[wrapping];
  let at = nextBeginning(text, 0, bit);
  while (at < text.length && decodedAt(text, at, wrapping) === undefined) {
    at = nextBeginning(text, at + 1, bit);
  }
  return at;
}

/** Removes one encoding; undefined if there is none. */
function unwrap({ text, from }: Unwrapped, wrapping: Wrapping): Unwrapped | undefined {
  const first = firstEncoded(text, wrapping);
  if (first === text.length) {
    return undefined;
  }
  const bit = bits[wrapping];
  const pieces: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let length = 0;
  let plainFrom = 0;
  const copyPlain = (start: number, end: number): void => {
    pieces.push(text.slice(start, end));
    places.set(from.subarray(start, end), length);
    length += end - start;
  };
  const appendDecoded = (piece: string, at: number): void => {
    pieces.push(piece);
    places.fill(from[at] ?? 0, length, length + piece.length);
    length += piece.length;
  };
  for (let at = first; at < text.length; at = nextBeginning(text, at + 1, bit)) {
    const taken = decodedAt(text, at, wrapping);
    if (taken !== undefined) {
      copyPlain(plainFrom, at);
      appendDecoded(taken[0], at);
      at += taken[1] - 1;
      plainFrom = at + 1;
    }
  }
  copyPlain(plainFrom, text.length);
  return { text: pieces.join(""), from: places };
}

/** The part of base64 that depends on the value alone, after `before` other bytes. */
function base64Core(value: Buffer, before: number): string {
  const coded = Buffer.concat([Buffer.alloc(before), value]).toString("base64");
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor(((before + value.length) * 8) / 6);
  return coded.slice(first, last);
}

/** Kinds of encodings to remove: entities, escapes and percent-encodings, or quoted-printable, or both. */
type Wrapping = "percent" | "usual" | "printable" | "both";

/** Orders to try. `=73` is not an encoding in most texts, and a soft line break may split another encoding. */
const orders: readonly (readonly Wrapping[])[] = [
  ["usual", "usual", "usual", "usual"],
  ["printable", "both", "both", "both", "both"],
  ["percent", "usual", "usual", "usual"],
];

/** Maximum nesting of base64 and hexadecimal. */
const maxNesting = 3;

/** The identity mapping for the longest text so far. */
let offsets = new Uint32Array(0);

function ownOffsets(length: number): Uint32Array {
  if (offsets.length <= length) {
    offsets = new Uint32Array(length + 1);
    for (let at = 0; at <= length; at += 1) {
      offsets[at] = at;
    }
  }
  return offsets.subarray(0, length + 1);
}

/** Results of all orders for a text. Some are equal. */
function* layersBelow(given: Unwrapped): Generator<Unwrapped> {
  for (const order of orders) {
    let layer = given;
    for (const [index, wrapping] of order.entries()) {
      const next = unwrap(layer, wrapping);
      if (next !== undefined) {
        yield (layer = next);
      } else if (wrapping === "percent" || order[index + 1] === wrapping) {
        // The remaining orders give the same result as the first one, or as one that just ended.
        break;
      }
    }
  }
}

/** All decoded forms of a text, itself first, without duplicates. */
function* unwrappings(text: string): Generator<Unwrapped> {
  const given: Unwrapped = { text, from: ownOffsets(text.length) };
  const known = new Set([text]);
  yield given;
  for (const layer of layersBelow(given)) {
    if (!known.has(layer.text)) {
      known.add(layer.text);
      yield layer;
    }
  }
}

/**
 * Finds secrets in text with one character per byte. Shares no code with the redactor, neither its patterns nor its decoder,
 * so that each finds what the other overlooks.
 */
export interface SecretsFinder {
  /** Offset of the first occurrence of each secret found. */
  find(text: string): ReadonlyMap<string, number>;
  /** Maximum length of an occurrence. */
  readonly reachBytes: number;
}

/**
 * Finds plain values, base64 of both alphabets at all three alignments, hexadecimal, and all of these inside other
 * encodings.
 */
export function createSecretsFinder(
  secrets: readonly { readonly name: string; readonly value: string }[],
): SecretsFinder {
  const sought = secrets.map(({ name, value }) => {
    const bytes = Buffer.from(value, "utf8");
    return {
      name,
      plain: bytes.toString("latin1"),
      cores: [0, 1, 2].map((before) => base64Core(bytes, before)),
      hex: bytes.toString("hex"),
    };
  });
  const find = (text: string, unpacked = 0): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    const note = (name: string, at: number): unknown =>
      found.set(name, Math.min(found.get(name) ?? Number.POSITIVE_INFINITY, at));
    for (const { text: unwrapped, from } of unwrappings(text)) {
      const standard = unwrapped.replaceAll("-", "+").replaceAll("_", "/");
      const lower = unwrapped.toLowerCase();
      for (const { name, plain, cores, hex } of sought) {
        const places = [unwrapped.indexOf(plain), lower.indexOf(hex), ...cores.map((core) => standard.indexOf(core))];
        places.filter((at) => at >= 0).forEach((at) => note(name, from[at] ?? 0));
      }
      for (const { text: inner, at } of unpacked < maxNesting ? unpackedRuns(unwrapped) : []) {
        find(inner, unpacked + 1).forEach((_, name) => found.has(name) || note(name, from[at] ?? 0));
      }
    }
    return found;
  };
  return { find: (text) => find(text), reachBytes: 64 * Math.max(0, ...sought.map(({ plain }) => plain.length)) };
}
