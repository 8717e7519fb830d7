import { Buffer } from "node:buffer";
import { unpackRuns } from "./packed-runs.ts";

/** The code units of a decoded text and their original offsets. */
interface UnwrappedText {
  readonly text: string;
  readonly sourceOffsets: Uint32Array;
}

const punctuation =
  "excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ underbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}";
const charactersByName = new Map(punctuation.split(" ").map((entry) => [entry.slice(0, -1), entry.slice(-1)]));
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
function parseNumber(
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

function parseExactHex(text: string, at: number, digits: number): number {
  const { value, length } = parseNumber(text, at, { base: 16, maxDigits: digits });
  return length === digits ? value : -1;
}

const toByteString = (point: number): string =>
  point < 128 ? String.fromCharCode(point) : Buffer.from(String.fromCodePoint(point), "utf8").toString("latin1");

/** Returns the character of a code point; undefined for invalid ones. */
const decodeCodePoint = (point: number, length: number): DecodedCharacter =>
  point < 0 || point > 0x10ffff ? undefined : [toByteString(point), length];

function decodeEntity(text: string, at: number): DecodedCharacter {
  const end = (length: number): number => (text[at + length] === ";" ? length + 1 : length);
  if (text[at + 1] === "#") {
    const isHex = text[at + 2] === "x" || text[at + 2] === "X";
    const start = isHex ? 3 : 2;
    const { value, length } = parseNumber(text, at + start, { base: isHex ? 16 : 10, maxDigits: 12 });
    return decodeCodePoint(value, end(start + length));
  }
  for (let length = maxNameLength; length > 1; length -= 1) {
    const character = charactersByName.get(text.slice(at + 1, at + 1 + length).toLowerCase());
    if (character !== undefined) {
      return [character, end(1 + length)];
    }
  }
  return undefined;
}

function decodeUnicode(text: string, at: number, before: number): DecodedCharacter {
  if (text[at] === "{") {
    const { value, length } = parseNumber(text, at + 1, { base: 16, maxDigits: 12 });
    return text[at + 1 + length] === "}" ? decodeCodePoint(value, before + 2 + length) : undefined;
  }
  return decodeCodePoint(parseExactHex(text, at, 4), before + 4);
}

/** Decodes an escape after one or more backslashes. */
function decodeEscape(text: string, at: number): DecodedCharacter {
  let slashes = 1;
  while (slashes < 8 && text[at + slashes] === "\\") {
    slashes += 1;
  }
  const letter = text[at + slashes] ?? "";
  const next = at + slashes + 1;
  if ("xX".includes(letter) && letter !== "") {
    const byte = parseExactHex(text, next, 2);
    return byte < 0 ? undefined : [String.fromCharCode(byte), slashes + 3];
  }
  if ("uU".includes(letter) && letter !== "") {
    return decodeUnicode(text, next, slashes + 1);
  }
  if ("\"'/".includes(letter) && letter !== "") {
    return [letter, slashes + 1];
  }
  return slashes > 1 ? ["\\", slashes] : undefined;
}

function decodePercent(text: string, at: number): DecodedCharacter {
  let start = at + 1;
  for (let layer = 0; layer < 3 && text.startsWith("25", start); layer += 1) {
    start += 2;
  }
  for (; start > at; start -= 2) {
    if (text[start] === "u" || text[start] === "U") {
      return decodeCodePoint(parseExactHex(text, start + 1, 4), start + 5 - at);
    }
    const byte = parseExactHex(text, start, 2);
    if (byte >= 0) {
      return [String.fromCharCode(byte), start + 2 - at];
    }
  }
  return undefined;
}

function decodeQuotedPrintable(text: string, at: number): DecodedCharacter {
  const line = ["\n", "\r\n", "\\n", "\\r\\n"].find((end) => text.startsWith(end, at + 1));
  if (line !== undefined) {
    return ["", 1 + line.length];
  }
  const byte = parseExactHex(text, at + 1, 2);
  return byte < 0 ? undefined : [String.fromCharCode(byte), 3];
}

function decodeAt(text: string, at: number, wrapping: Wrapping): DecodedCharacter {
  const character = text.charCodeAt(at);
  if (character === 61) {
    return wrapping === "usual" || wrapping === "percent" ? undefined : decodeQuotedPrintable(text, at);
  }
  if (wrapping === "percent") {
    return character === 37 ? decodePercent(text, at) : undefined;
  }
  switch (wrapping === "printable" ? 0 : character) {
    case 38:
      return decodeEntity(text, at);
    case 92:
      return decodeEscape(text, at);
    case 37:
      return decodePercent(text, at);
    default:
      return undefined;
  }
}

const wrappingBits: Readonly<Record<Wrapping, number>> = { percent: 1, usual: 2, printable: 4, both: 8 };

/** By character: one bit for each wrapping whose encodings may begin with it. */
const beginningBits = new Uint8Array(256);
beginningBits.fill(wrappingBits.usual | wrappingBits.both, 38, 39);
beginningBits.fill(wrappingBits.usual | wrappingBits.both, 92, 93);
beginningBits.fill(wrappingBits.percent | wrappingBits.usual | wrappingBits.both, 37, 38);
beginningBits.fill(wrappingBits.printable | wrappingBits.both, 61, 62);

/** Offset of the next possible encoding; the length of the text if there is none. */
function findNextBeginning(text: string, start: number, bit: number): number {
  let at = start;
  while (at < text.length && ((beginningBits[text.charCodeAt(at)] ?? 0) & bit) === 0) {
    at += 1;
  }
  return at;
}

/** Offset of the first encoding; the length of the text if there is none. */
function findFirstEncoded(text: string, wrapping: Wrapping): number {
  const bit = wrappingBits[wrapping];
  let at = findNextBeginning(text, 0, bit);
  while (at < text.length && decodeAt(text, at, wrapping) === undefined) {
    at = findNextBeginning(text, at + 1, bit);
  }
  return at;
}

/** Removes one encoding; undefined if there is none. */
function unwrap({ text, sourceOffsets }: UnwrappedText, wrapping: Wrapping): UnwrappedText | undefined {
  const first = findFirstEncoded(text, wrapping);
  if (first === text.length) {
    return undefined;
  }
  const bit = wrappingBits[wrapping];
  const pieces: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let length = 0;
  let plainFrom = 0;
  const copyPlain = (start: number, end: number): void => {
    pieces.push(text.slice(start, end));
    places.set(sourceOffsets.subarray(start, end), length);
    length += end - start;
  };
  const appendDecoded = (piece: string, at: number): void => {
    pieces.push(piece);
    places.fill(sourceOffsets[at] ?? 0, length, length + piece.length);
    length += piece.length;
  };
  for (let at = first; at < text.length; at = findNextBeginning(text, at + 1, bit)) {
    const decoded = decodeAt(text, at, wrapping);
    if (decoded !== undefined) {
      copyPlain(plainFrom, at);
      appendDecoded(decoded[0], at);
      at += decoded[1] - 1;
      plainFrom = at + 1;
    }
  }
  copyPlain(plainFrom, text.length);
  return { text: pieces.join(""), sourceOffsets: places };
}

/** Returns the part of base64 that depends on the value alone, after `before` other bytes. */
function getBase64Core(value: Buffer, before: number): string {
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

function createIdentityOffsets(length: number): Uint32Array {
  if (offsets.length <= length) {
    offsets = new Uint32Array(length + 1);
    for (let at = 0; at <= length; at += 1) {
      offsets[at] = at;
    }
  }
  return offsets.subarray(0, length + 1);
}

/** Results of all orders for a text. Some are equal. */
function* listLayersBelow(original: UnwrappedText): Generator<UnwrappedText> {
  for (const order of orders) {
    let layer = original;
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
function* listUnwrappings(text: string): Generator<UnwrappedText> {
  const original: UnwrappedText = { text, sourceOffsets: createIdentityOffsets(text.length) };
  const knownTexts = new Set([text]);
  yield original;
  for (const layer of listLayersBelow(original)) {
    if (!knownTexts.has(layer.text)) {
      knownTexts.add(layer.text);
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
  const searches = secrets.map(({ name, value }) => {
    const bytes = Buffer.from(value, "utf8");
    return {
      name,
      plain: bytes.toString("latin1"),
      cores: [0, 1, 2].map((before) => getBase64Core(bytes, before)),
      hex: bytes.toString("hex"),
    };
  });
  // No encoding is shorter than what it encodes.
  const minBytes = Math.min(...searches.map(({ plain }) => plain.length));
  const find = (text: string, nesting = 0): ReadonlyMap<string, number> => {
    const firstOffsets = new Map<string, number>();
    const recordOffset = (name: string, at: number): unknown =>
      firstOffsets.set(name, Math.min(firstOffsets.get(name) ?? Number.POSITIVE_INFINITY, at));
    for (const { text: unwrapped, sourceOffsets } of listUnwrappings(text)) {
      const standard = unwrapped.replaceAll("-", "+").replaceAll("_", "/");
      const lower = unwrapped.toLowerCase();
      for (const { name, plain, cores, hex } of searches) {
        const places = [unwrapped.indexOf(plain), lower.indexOf(hex), ...cores.map((core) => standard.indexOf(core))];
        places.filter((at) => at >= 0).forEach((at) => recordOffset(name, sourceOffsets[at] ?? 0));
      }
      for (const { text: inner, at } of nesting < maxNesting ? unpackRuns(unwrapped, minBytes) : []) {
        find(inner, nesting + 1).forEach(
          (_, name) => firstOffsets.has(name) || recordOffset(name, sourceOffsets[at] ?? 0),
        );
      }
    }
    return firstOffsets;
  };
  return { find: (text) => find(text), reachBytes: 64 * Math.max(0, ...searches.map(({ plain }) => plain.length)) };
}
