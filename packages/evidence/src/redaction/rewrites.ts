import { Buffer } from "node:buffer";
import { decodeLayers } from "./decoded-layers.ts";
import type { DecodedLayer } from "./decoded-layers.ts";
import type { Rewrite, Rewrites } from "./redact-pieces.ts";
import { isOutsideStrings } from "./replacement.ts";
import type { Replacements } from "./replacement.ts";
import { PatternFilter } from "./pattern-filter.ts";
import { findLongestPart } from "./secret-patterns.ts";
import type { SecretPattern, SecretPatterns } from "./secret-patterns.ts";

/** Base64 of at least nine printable characters, at any alignment. Their high bits leave few possible letters. */
const base64OfText = /(?:[I-Za-f][C-HS-Xi-nyz0-3][AEIMQUYcgkosw048BFJNRVZdhlptx159][A-Za-z0-9+/_-]){3}/;
/** Hexadecimal of at least eight printable characters. */
const hexOfText = /(?:[2-7][0-9A-Fa-f]){8}/;
const hexRun = /[0-9A-Fa-f]{16,}/g;

/** Minimum length of a run that may encode text, in either coding. */
const minTextLetters = 12;

/** By character code: 1 for base64 letters of either alphabet. */
const letters = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))),
);

const isLetter = (text: string, at: number): boolean => letters[text.charCodeAt(at)] === 1;

/**
 * Runs of letters that are long enough. Tests one character per minimum length, because every such run contains one of them.
 */
function* findRuns(text: string, minLetters: number): Generator<readonly [start: number, run: string]> {
  let previousEnd = 0;
  for (let at = minLetters - 1; at < text.length; at += minLetters) {
    if (!isLetter(text, at)) {
      continue;
    }
    let start = at;
    while (start > previousEnd && isLetter(text, start - 1)) {
      start -= 1;
    }
    let end = at + 1;
    while (end < text.length && isLetter(text, end)) {
      end += 1;
    }
    if (end - start >= minLetters) {
      yield [start, text.slice(start, end)];
    }
    previousEnd = end;
    at = end - 1;
  }
}

/** Decodes a run at every alignment. */
function* decodeRun(
  run: string,
  start: number,
  { toSourceOffset, name }: Pick<DecodedLayer, "toSourceOffset"> & Coding,
) {
  const [alignments, bitsOfLetter] = name === "hex" ? [2, 4] : [4, 6];
  for (let skipped = 0; skipped < alignments; skipped += 1) {
    yield {
      text: Buffer.from(run.slice(skipped), name).toString("latin1"),
      toSourceOffset: (at: number) =>
        toSourceOffset(start + Math.min(run.length, skipped + Math.floor((at * 8) / bitsOfLetter))),
    };
  }
}

interface Coding {
  readonly name: "hex" | "base64";
}

/**
 * The parts of a text that are base64 or hexadecimal of text, decoded, with the origin of each character. Skips parts that
 * are not printable, because an encoded secret is.
 */
function* decodeCodedParts({ text, toSourceOffset }: DecodedLayer, minLetters: number): Generator<DecodedLayer> {
  for (const [start, run] of findRuns(text, minLetters)) {
    if (base64OfText.test(run)) {
      yield* decodeRun(run, start, { toSourceOffset, name: "base64" });
    }
    for (const { index, 0: hex } of hexOfText.test(run) ? run.matchAll(hexRun) : []) {
      yield* decodeRun(hex, start + index, { toSourceOffset, name: "hex" });
    }
  }
}

/** A shape of text that is a secret, for text with one character per byte. */
interface SecretShape {
  /** Fast test. A text that fails it contains no secret of this shape. */
  readonly hint: RegExp;
  /** Group 1 is the secret, and a match ends with it. Linear on hostile text: a run of characters is entered only once. */
  readonly pattern: RegExp;
}

/** Maximum length of a match in bytes, including what must follow it. */
const maxShapeBytes = 32 * 1024;

// A secret begins at a word boundary, or after a JSON escape such as `\n`, whose letter is not part of a word. Tested after the first
// letters, because patterns that begin with a letter are much faster.
const createWordPattern = (start: string): string =>
  String.raw`${start}(?<=(?<![A-Za-z0-9_-])${start}|\\[bfnrt]${start})`;

// Printable ASCII except delimiters of URLs and JSON strings. ASCII only, because splitting a UTF-8 sequence would damage
// the text.
const userPart = String.raw`[A-Za-z0-9._~!$&()*+,;=%-]`;
const queryValue = String.raw`[A-Za-z0-9._~!$()*+,:/=%-]`;
const jwtPart = "[A-Za-z0-9_-]";

/**
 * Shapes that are always replaced: tokens of the service, JWTs, credentials and tokens in URLs. Their lengths are bounded,
 * far above real ones, so that text can be searched in windows.
 */
const secretShapes: readonly SecretShape[] = [
  {
    hint: /sg[a-z]_/,
    pattern: new RegExp(
      `(${createWordPattern("sg")}(?:p_[A-Za-z0-9_]{8,1024}|[a-z]_(?:[A-Za-z0-9]{1,64}_)?[A-Za-z0-9]{16,1024}))`,
      "g",
    ),
  },
  {
    hint: /eyJ/,
    pattern: new RegExp(
      `(${createWordPattern("eyJ")}${jwtPart}{8,4096}[.]eyJ${jwtPart}{8,16384}[.]${jwtPart}{8,4096})(?!${jwtPart})`,
      "g",
    ),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`:\\{0,2}/\\{0,2}/${userPart}{0,256}:(${userPart}{1,256})(?=@)`, "g"),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`:\\{0,2}/\\{0,2}/(${userPart}{8,256})(?=@)`, "g"),
  },
  {
    hint: /token=/i,
    pattern: new RegExp(
      String.raw`(?:[?&]|\\u0026|&amp;|%26|%3F)(?:token|access_token|filter_read_token)=(${queryValue}{1,4096})`,
      "gi",
    ),
  },
  // Links to shared conversations contain the read token.
  {
    hint: /deepsearch/,
    pattern:
      /deepsearch\\{0,2}\/(?:shared\\{0,2}\/)?([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?![0-9a-fA-F-])/g,
  },
  {
    hint: /read_token/,
    pattern: /"read_token"[ ]?:[ ]?"((?:[ !#-[\]-~]|\\(?:["/\\]|u[\dA-Fa-f]{4})){1,4096})(?=")/g,
  },
];

const escapeOrQuote = /\\(?:u[\dA-Fa-f]{4}|[^])|"/g;

const hasBareQuote = (text: string): boolean => text.match(escapeOrQuote)?.includes('"') ?? false;

/**
 * Returns the replacement of a known secret, as long as the text found. Uses letters and digits, only digits if the text could be a
 * JSON number, and keeps the structure if the text extends beyond a string.
 */
function chooseReplacement(value: string, match: string, replacements: Replacements): string {
  if (isOutsideStrings(match)) {
    return replacements.forNumber(value, match);
  }
  return hasBareQuote(match) ? replacements.forJson(value, match) : replacements.forSpelling(value, match.length);
}

/** Number of backslashes directly before `at`. */
function countBackslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") {
    count++;
  }
  return count;
}

/**
 * Returns how many characters of a JSON escape around `at` precede `at`, and how many follow. Both are 0 if there is no escape.
 */
function findOpenEscape(text: string, at: number): { readonly before: number; readonly left: number } {
  if (countBackslashesBefore(text, at) % 2 === 1) {
    return { before: 1, left: text.charAt(at) === "u" ? 5 : 1 };
  }
  const [unicode = ""] = /\\u[\dA-Fa-f]{0,3}$/.exec(text.slice(Math.max(0, at - 5), at)) ?? [];
  const isEscape = unicode !== "" && countBackslashesBefore(text, at - unicode.length) % 2 === 0;
  return isEscape ? { before: unicode.length, left: 6 - unicode.length } : { before: 0, left: 0 };
}

/** A secret that was found. */
interface SecretMatch {
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/**
 * Returns the replacement of a secret at its position, so that the surrounding JSON stays JSON. Keeps parts of an escape that
 * started before or continues after it.
 */
function replaceMatch(value: string, { text, at, length }: SecretMatch, replacements: Replacements): string {
  const end = at + length;
  const from = Math.min(end, at + findOpenEscape(text, at).left);
  const to = Math.max(from, end - findOpenEscape(text, end).before);
  return text.slice(at, from) + chooseReplacement(value, text.slice(from, to), replacements) + text.slice(to, end);
}

/** Known secrets, to which more can be added. */
class KnownSecrets {
  /** Finds patterns in a text as it was sent, and after decoding. */
  readonly filter = new PatternFilter();
  readonly bareFilter = new PatternFilter();
  maxMatchBytes = 0;
  maxValueLength = 0;
  minValueBytes = Number.POSITIVE_INFINITY;

  add(patterns: SecretPatterns): void {
    const { value } = patterns.secret;
    patterns.patterns.forEach((pattern) => this.filter.add({ ...pattern, value }));
    createBarePatterns(patterns).forEach((pattern) => this.bareFilter.add({ ...pattern, value }));
    this.maxMatchBytes = Math.max(this.maxMatchBytes, patterns.maxMatchBytes);
    this.maxValueLength = Math.max(this.maxValueLength, value.length);
    this.minValueBytes = Math.min(this.minValueBytes, Buffer.byteLength(value));
  }
}

const createKnownRewrite = ({ filter, maxMatchBytes }: KnownSecrets, replacements: Replacements): Rewrite => ({
  reachBytes: maxMatchBytes,
  apply: (given, { from, to }) =>
    filter
      .find(given)
      .reduce(
        (text, { value, expression }) =>
          text.replace(expression, (match: string, at: number) =>
            at < from || at + match.length > to
              ? match
              : replaceMatch(value, { text, at, length: match.length }, replacements),
          ),
        given,
      ),
});

/** Maximum length of an encoded character. */
const maxEncodedLength = 64;

/** A secret inside encodings: its range, end excluded. */
interface EncodedSecret {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Characters that JSON may write after a backslash. The text between them has one spelling. */
const escapableCharacter = /[/"\\]/;

/** Characters that still have several spellings after decoding. */
const multiSpellingCharacter = /[ /"\\]/;

/** Returns a byte as a regular expression, with the backslashes that JSON may write before it. */
function createBarePattern(character: string): string {
  const code = `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  if (character === " ") {
    // Forms write a plus for a space.
    return String.raw`[ +]`;
  }
  return character === "\\" ? `${code}{1,4}` : escapableCharacter.test(character) ? `\\\\{0,4}${code}` : code;
}

/** Patterns to search for after decoding: the value itself, its base64 and its hexadecimal. */
const createBarePatterns = ({
  secret: { value },
  patterns: [, ...codedPatterns],
}: SecretPatterns): readonly SecretPattern[] => {
  const bytes = Buffer.from(value, "utf8").toString("latin1");
  const expression = new RegExp(bytes.replaceAll(/[^A-Za-z0-9]/g, createBarePattern), "g");
  const word = { text: findLongestPart(bytes, multiSpellingCharacter) };
  return [{ expression, word }, ...codedPatterns];
};

/** The search in decoded texts, and the minimum number of letters that encode a secret. */
interface EncodedSearch {
  readonly filter: PatternFilter;
  readonly minLetters: number;
}

/** Occurrences of secrets in a layer. */
const findOccurrences = ({ text, toSourceOffset }: DecodedLayer, { filter }: EncodedSearch): readonly EncodedSecret[] =>
  filter.find(text).flatMap(({ value, expression }) =>
    Array.from(text.matchAll(expression), ({ index, 0: match }) => ({
      value,
      start: toSourceOffset(index),
      end: toSourceOffset(index + match.length),
    })),
  );

/** Maximum nesting of base64 and hexadecimal. Other encodings are removed around and inside them. */
const maxNesting = 3;

/** Finds encoded secrets. Plain ones were already replaced. */
function findEncoded(given: DecodedLayer, search: EncodedSearch, nesting = 0): readonly EncodedSecret[] {
  const layers = [...decodeLayers(given)];
  const coded =
    nesting === maxNesting
      ? []
      : [given, ...layers].flatMap((candidate) =>
          [...decodeCodedParts(candidate, search.minLetters)].flatMap((part) => [
            ...findOccurrences(part, search),
            ...findEncoded(part, search, nesting + 1),
          ]),
        );
  return [...layers.flatMap((candidate) => findOccurrences(candidate, search)), ...coded];
}

/** Replaces text that decodes to a secret. */
function createEncodedRewrite(
  { bareFilter, maxValueLength, minValueBytes }: KnownSecrets,
  replacements: Replacements,
): Rewrite {
  // No encoding is shorter than what it encodes, and three bytes are four letters of base64.
  const minLetters = Math.max(minTextLetters, Math.floor((minValueBytes * 4) / 3));
  const search = { filter: bareFilter, minLetters };
  return {
    reachBytes: maxValueLength * maxEncodedLength,
    apply(text, { from, to }) {
      let rewritten = text;
      for (const { value, start, end } of maxValueLength === 0
        ? []
        : findEncoded({ text, toSourceOffset: (at) => at }, search)) {
        const isUnchanged = rewritten.slice(start, end) === text.slice(start, end);
        if (start >= from && end <= to && isUnchanged) {
          const match = { text: rewritten, at: start, length: end - start };
          rewritten = rewritten.slice(0, start) + replaceMatch(value, match, replacements) + rewritten.slice(end);
        }
      }
      return rewritten;
    },
  };
}

const createShapeRewrites = (replacements: Replacements): readonly Rewrite[] =>
  secretShapes.map(({ hint, pattern }): Rewrite => ({
    reachBytes: maxShapeBytes,
    apply: (text, { from, to }) =>
      hint.test(text)
        ? text.replace(pattern, (match: string, secret: string, at: number) =>
            at < from || at + match.length > to || replacements.isReplacement(secret)
              ? match
              : match.slice(0, -secret.length) + replacements.forValue(secret, secret.length),
          )
        : text,
  }));

/** Rewrites for known secrets, and for text in the shape of a secret. Rewriting twice changes nothing. */
export class SecretRewrites {
  readonly #known = new KnownSecrets();
  readonly #replacements: Replacements;
  readonly #shapeRewrites: readonly Rewrite[];
  #rewrites: Rewrites | undefined;

  constructor(secrets: readonly SecretPatterns[], replacements: Replacements) {
    this.#replacements = replacements;
    this.#shapeRewrites = createShapeRewrites(replacements);
    secrets.forEach((secret) => this.add(secret));
  }

  /** Treats a value as secret from now on. */
  add(secret: SecretPatterns): void {
    this.#known.add(secret);
    this.#rewrites = undefined;
  }

  /** The rewrites for all secrets so far. The same object until another one is added. */
  get current(): Rewrites {
    this.#rewrites ??= {
      first: [
        createKnownRewrite(this.#known, this.#replacements),
        createEncodedRewrite(this.#known, this.#replacements),
      ],
      second: this.#shapeRewrites,
    };
    return this.#rewrites;
  }
}
