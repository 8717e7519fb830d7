import { Buffer } from "node:buffer";

/** A text with encodings taken off, and where each character of it came from. */
export interface DecodedLayer {
  readonly text: string;
  /** Offset in the text that was given; for the length of this text the length of that one. */
  readonly sourceOf: (at: number) => number;
}

/** Characters of tokens that HTML has names for; letters and digits have none. */
const names: Readonly<Record<string, string>> = {
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
/** Entities, escapes of programs and of JSON, percent-encodings. */
const usual = [
  `&#[xX]0{0,8}(?<entityHex>${hexadecimal}{1,6});?`,
  "&#0{0,8}(?<entity>[0-9]{1,7});?",
  `&(?<name>${Object.keys(names).join("|")});?`,
  `\\\\{1,8}(?:u\\{0{0,8}(?<braced>${hexadecimal}{1,6})\\}|u(?<unit>${hexadecimal}{4})|x(?<byte>${hexadecimal}{2}))`,
  `%(?:25){0,3}(?:[uU](?<wide>${hexadecimal}{4})|(?<percent>${hexadecimal}{2}))`,
];
const usualEncodings = new RegExp(usual.join("|"), "gi");
/** Of the text of mails, tried apart from all others: what it takes for encoded, such as `=73`, stands in every address. */
const printable = `=(?<soft>\\r?\\n|(?:\\\\{1,8}r)?\\\\{1,8}n)|=(?<printable>${hexadecimal}{2})`;
const printableAlone = new RegExp(printable, "g");
const withPrintable = new RegExp([...usual, printable].join("|"), "gi");

const mostLayers = 4;

type Groups = Readonly<Record<string, string | undefined>>;

/** The bytes of a character, one character each, as in the text around it. */
const bytesOf = (codePoint: number): string =>
  codePoint < 0x80
    ? String.fromCharCode(codePoint)
    : Buffer.from(codePoint > 0x10ffff ? "" : String.fromCodePoint(codePoint), "utf8").toString("latin1");

function meantBy({ entity, name, soft, ...hex }: Groups): string {
  const raw = hex["percent"] ?? hex["byte"] ?? hex["printable"];
  if (raw !== undefined) {
    return String.fromCharCode(Number.parseInt(raw, 16));
  }
  if (soft !== undefined) {
    return "";
  }
  if (name !== undefined) {
    return names[name.toLowerCase()] ?? "";
  }
  const digits = hex["entityHex"] ?? hex["braced"] ?? hex["unit"] ?? hex["wide"];
  return bytesOf(digits === undefined ? Number(entity) : Number.parseInt(digits, 16));
}

/** One encoding less. */
function decodeOnce({ text, sourceOf }: DecodedLayer, encodings: RegExp): DecodedLayer {
  const starts: number[] = [0];
  const froms: number[] = [0];
  let decoded = "";
  let read = 0;
  for (const match of text.matchAll(encodings)) {
    decoded += text.slice(read, match.index);
    // An encoded character begins a run of its own, and what follows it the next.
    starts.push(decoded.length);
    froms.push(match.index);
    decoded += meantBy(match.groups ?? {});
    read = match.index + match[0].length;
    starts.push(decoded.length);
    froms.push(read);
  }
  decoded += text.slice(read);
  const before = (at: number): number => {
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
    return (froms[low] ?? 0) + at - (starts[low] ?? 0);
  };
  return { text: decoded, sourceOf: (at) => sourceOf(before(at)) };
}

const hint = /[&\\%]/u;

/** The layers below one, one encoding less each. */
function* layersBelow(given: DecodedLayer, encodings: RegExp): Generator<DecodedLayer> {
  let layer = given;
  for (let depth = 0; depth < mostLayers; depth += 1) {
    const next = decodeOnce(layer, encodings);
    if (next.text.length === layer.text.length) {
      return;
    }
    yield (layer = next);
  }
}

/**
 * What a text says once encodings are taken off, one after the other and up to four times: entities, `\x`, `\u` and `%u`,
 * percent-encodings and quoted-printable, in any mixture. Nothing is given where there is nothing to take off.
 */
export function* decodedLayers(text: string): Generator<DecodedLayer> {
  const given: DecodedLayer = { text, sourceOf: (at) => at };
  const usualLayers = hint.test(text) ? [...layersBelow(given, usualEncodings)] : [];
  yield* usualLayers;
  if ([given, ...usualLayers].some((layer) => layer.text.search(printableAlone) >= 0)) {
    // A line may break in the middle of another encoding.
    const first = decodeOnce(given, printableAlone);
    yield first;
    yield* layersBelow(first, withPrintable);
  }
}
