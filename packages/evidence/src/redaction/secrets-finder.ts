import { Buffer } from "node:buffer";
import { unpackRuns } from "./packed-runs.ts";
import { createWordSearch } from "./word-search.ts";

/** A decoded text. */
interface UnwrappedText {
  readonly text: string;
  /** Converts an offset to the original text. */
  readonly toSourceOffset: (at: number) => number;
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

/** The characters with which encodings begin. */
const beginnings: Readonly<Record<Wrapping, readonly string[]>> = {
  percent: ["%"],
  usual: ["\\", "%", "&"],
  printable: ["="],
  both: ["\\", "=", "%", "&"],
};

/**
 * Returns a function that finds the next of some characters, from an offset that must not decrease. Returns the length of the text if
 * there is none.
 */
function createNextFinder(text: string, characters: readonly string[]): (from: number) => number {
  const nextOffsets = characters.map(() => -1);
  return (from) => {
    let nearest = text.length;
    for (let index = 0; index < nextOffsets.length; index += 1) {
      let at = nextOffsets[index] ?? -1;
      if (at < from) {
        at = text.indexOf(characters[index] ?? "", from);
        nextOffsets[index] = at = at < 0 ? text.length : at;
      }
      nearest = at < nearest ? at : nearest;
    }
    return nearest;
  };
}

/** Calls `visit` with each encoded character: its offset, the decoded text and the encoded length. */
function forEachEncoded(
  text: string,
  wrapping: Wrapping,
  visit: (at: number, decoded: string, encodedLength: number) => void,
): void {
  const findNext = createNextFinder(text, beginnings[wrapping]);
  for (let at = findNext(0); at < text.length; at = findNext(at)) {
    const decoded = decodeAt(text, at, wrapping);
    if (decoded === undefined) {
      at += 1;
    } else {
      visit(at, ...decoded);
      at += decoded[1];
    }
  }
}

/** Removes one encoding. Returns undefined if nothing is encoded. */
function unwrapText(text: string, wrapping: Wrapping): string | undefined {
  const pieces: string[] = [];
  let plainFrom = 0;
  forEachEncoded(text, wrapping, (at, decoded, encodedLength) => {
    pieces.push(text.slice(plainFrom, at), decoded);
    plainFrom = at + encodedLength;
  });
  return pieces.length === 0 ? undefined : pieces.join("") + text.slice(plainFrom);
}

/** Converts an offset in the result of `unwrapText` to the text before. */
function findOffsetBefore(text: string, wrapping: Wrapping, unwrappedAt: number): number {
  let distance = 0;
  let source: number | undefined;
  forEachEncoded(text, wrapping, (at, decoded, encodedLength) => {
    if (source === undefined && unwrappedAt + distance < at) {
      source = unwrappedAt + distance;
    } else if (unwrappedAt + distance < at + decoded.length) {
      source ??= at;
    }
    distance += encodedLength - decoded.length;
  });
  return source ?? unwrappedAt + distance;
}

/** Removes one encoding. Returns undefined if nothing is encoded. */
function unwrap({ text, toSourceOffset }: UnwrappedText, wrapping: Wrapping): UnwrappedText | undefined {
  const unwrapped = unwrapText(text, wrapping);
  return unwrapped === undefined
    ? undefined
    : { text: unwrapped, toSourceOffset: (at) => toSourceOffset(findOffsetBefore(text, wrapping, at)) };
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
  const original: UnwrappedText = { text, toSourceOffset: (at) => at };
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

const toLowerCase = (text: string): string => text.toLowerCase();
const toStandardBase64 = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/");

/**
 * Finds plain values, base64 of both alphabets at all three alignments, hexadecimal, and all of these inside other
 * encodings.
 */
export function createSecretsFinder(
  secrets: readonly { readonly name: string; readonly value: string }[],
): SecretsFinder {
  const spellings = secrets.flatMap(({ name, value }) => {
    const bytes = Buffer.from(value, "utf8");
    return [
      { name, text: bytes.toString("latin1") },
      { name, text: bytes.toString("hex"), normalize: toLowerCase },
      ...[0, 1, 2].map((before) => ({ name, text: getBase64Core(bytes, before), normalize: toStandardBase64 })),
    ];
  });
  const spellingSearch = createWordSearch(spellings);
  const lengths = secrets.map(({ value }) => Buffer.byteLength(value));
  // No encoding is shorter than what it encodes.
  const minBytes = Math.min(...lengths);
  const find = (text: string, nesting = 0): ReadonlyMap<string, number> => {
    const firstOffsets = new Map<string, number>();
    const recordOffset = (name: string, at: number): unknown =>
      firstOffsets.set(name, Math.min(firstOffsets.get(name) ?? Number.POSITIVE_INFINITY, at));
    for (const { text: unwrapped, toSourceOffset } of listUnwrappings(text)) {
      spellingSearch.search(unwrapped, (index, at) => recordOffset(spellings[index]?.name ?? "", toSourceOffset(at)));
      for (const { text: inner, at } of nesting < maxNesting ? unpackRuns(unwrapped, minBytes) : []) {
        find(inner, nesting + 1).forEach((_, name) => firstOffsets.has(name) || recordOffset(name, toSourceOffset(at)));
      }
    }
    return firstOffsets;
  };
  return { find: (text) => find(text), reachBytes: 64 * Math.max(0, ...lengths) };
}
