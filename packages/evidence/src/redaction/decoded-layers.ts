import { Buffer } from "node:buffer";

/** A text with encodings removed, and the origin of each character. */
export interface DecodedLayer {
  readonly text: string;
  /** Maps an offset to the original text; the length maps to its length. */
  readonly toSourceOffset: (at: number) => number;
}

/** Characters of tokens that have HTML names. Letters and digits have none. */
const htmlNames: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  ast: "*",
  bsol: "\\",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  grave: "`",
  gt: ">",
  hat: "^",
  lbrace: "{",
  lbrack: "[",
  lcub: "{",
  lowbar: "_",
  lpar: "(",
  lsqb: "[",
  lt: "<",
  midast: "*",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quest: "?",
  quot: '"',
  rbrace: "}",
  rbrack: "]",
  rcub: "}",
  rpar: ")",
  rsqb: "]",
  semi: ";",
  sol: "/",
  underbar: "_",
  verbar: "|",
  vert: "|",
};

const hexadecimal = "[0-9A-Fa-f]";
/** Entities, escapes of programming languages and JSON, percent-encodings. The lookahead skips all other text at once. */
const commonEncodings = [
  `&(?:#(?:[xX]0{0,8}${hexadecimal}{1,6}|0{0,8}[0-9]{1,7})|(?:${Object.keys(htmlNames).join("|")}));?`,
  `\\\\{1,8}(?:u\\{0{0,8}${hexadecimal}{1,6}\\}|u${hexadecimal}{4}|x${hexadecimal}{2})`,
  `%(?:25){0,3}(?:[uU]${hexadecimal}{4}|${hexadecimal}{2})`,
];
const commonEncodingPattern = new RegExp(commonEncodings.join("|"), "gi");
/** Quoted-printable. Tried separately, because what looks encoded, such as `=73`, appears in every URL. */
const quotedPrintable = `=(?:\\r?\\n|(?:\\\\{1,8}r)?\\\\{1,8}n|${hexadecimal}{2})`;
const percentEncodingPattern = new RegExp(commonEncodings.slice(-1).join(""), "gi");
const entityBeforePercent = /[&\\][#\w{]{0,12}%/;
const quotedPrintablePattern = new RegExp(quotedPrintable, "g");
const anyEncodingPattern = new RegExp([...commonEncodings, quotedPrintable].join("|"), "gi");

const maxLayers = 4;

/** Returns the bytes of a character, one character each, like the surrounding text. */
const toByteString = (codePoint: number): string =>
  codePoint < 0x80
    ? String.fromCharCode(codePoint)
    : Buffer.from(codePoint > 0x10ffff ? "" : String.fromCodePoint(codePoint), "utf8").toString("latin1");

const parseHex = (digits: string): number => Number.parseInt(digits, 16);

/** Decodes an entity. The semicolon may be missing. */
function decodeEntity(entity: string): string {
  const name = entity.endsWith(";") ? entity.slice(1, -1) : entity.slice(1);
  if (!name.startsWith("#")) {
    return htmlNames[name.toLowerCase()] ?? "";
  }
  const isHex = name[1] === "x" || name[1] === "X";
  return toByteString(isHex ? parseHex(name.slice(2)) : Number(name.slice(1)));
}

/** Decodes `\x41`, `\\u0041` and `\\u{41}`, after any number of backslashes. */
function decodeEscape(escape: string): string {
  const letter = escape.lastIndexOf("\\") + 1;
  if (escape[letter] === "x" || escape[letter] === "X") {
    return String.fromCharCode(parseHex(escape.slice(letter + 1)));
  }
  return toByteString(parseHex(escape[letter + 1] === "{" ? escape.slice(letter + 2, -1) : escape.slice(letter + 1)));
}

function decodePercent(encoded: string): string {
  const unit = encoded.at(-5);
  return unit === "u" || unit === "U"
    ? toByteString(parseHex(encoded.slice(-4)))
    : String.fromCharCode(parseHex(encoded.slice(-2)));
}

/** Decodes a match. Its first character shows its kind. */
function decodeMatch(match: string): string {
  switch (match[0]) {
    case "&":
      return decodeEntity(match);
    case "\\":
      return decodeEscape(match);
    case "%":
      return decodePercent(match);
    default:
      // A soft line break decodes to nothing.
      return match.endsWith("\n") || match.endsWith("n") ? "" : String.fromCharCode(parseHex(match.slice(-2)));
  }
}

/** Removes one encoding. */
function decodeOnce({ text, toSourceOffset }: DecodedLayer, encodings: RegExp): DecodedLayer {
  const starts: number[] = [0];
  const origins: number[] = [0];
  let decoded = "";
  let readUntil = 0;
  for (const match of text.matchAll(encodings)) {
    decoded += text.slice(readUntil, match.index);
    // An encoded character starts a new run, and so does the text after it.
    starts.push(decoded.length);
    origins.push(match.index);
    decoded += decodeMatch(match[0]);
    readUntil = match.index + match[0].length;
    starts.push(decoded.length);
    origins.push(readUntil);
  }
  decoded += text.slice(readUntil);
  const toOrigin = (at: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return (origins[low] ?? 0) + at - (starts[low] ?? 0);
  };
  return { text: decoded, toSourceOffset: (at) => toSourceOffset(toOrigin(at)) };
}

const encodingHint = /[&\\%]/u;

/** The layers below a layer, each with one encoding removed. */
function* decodeLayersBelow(original: DecodedLayer, encodings: RegExp): Generator<DecodedLayer> {
  let layer = original;
  for (let depth = 0; depth < maxLayers; depth += 1) {
    const next = decodeOnce(layer, encodings);
    if (next.text.length === layer.text.length) {
      return;
    }
    yield (layer = next);
  }
}

/**
 * The layers of a text as encodings are removed, one after the other, up to four times: entities, `\x`, `\u` and `%u`,
 * percent-encodings and quoted-printable, in any mixture. Yields nothing if there is nothing to decode.
 */
export function* decodeLayers(original: DecodedLayer): Generator<DecodedLayer> {
  const { text } = original;
  const commonLayers = encodingHint.test(text) ? [...decodeLayersBelow(original, commonEncodingPattern)] : [];
  yield* commonLayers;
  // An entity without a semicolon ends where one of its digits is itself encoded.
  if (entityBeforePercent.test(text)) {
    const first = decodeOnce(original, percentEncodingPattern);
    yield first;
    yield* decodeLayersBelow(first, commonEncodingPattern);
  }
  if ([original, ...commonLayers].some((layer) => layer.text.search(quotedPrintablePattern) >= 0)) {
    // A soft line break may split another encoding.
    const first = decodeOnce(original, quotedPrintablePattern);
    yield first;
    yield* decodeLayersBelow(first, anyEncodingPattern);
  }
}
