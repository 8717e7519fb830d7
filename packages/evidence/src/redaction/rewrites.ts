import { Buffer } from "node:buffer";
import { decodedLayers } from "./decoded-layers.ts";
import type { DecodedLayer } from "./decoded-layers.ts";
import type { Rewrite, Rewrites } from "./redact-pieces.ts";
import { isOutsideStrings } from "./replacement.ts";
import type { Replacements } from "./replacement.ts";
import { createAllSecretPatterns } from "./secret-patterns.ts";
import type { Secret, SecretPattern, SecretPatterns } from "./secret-patterns.ts";

/** Base64 of at least nine printable characters, whatever stands before it: their high bits leave few letters to begin with. */
const base64OfText = /(?:[I-Za-f][C-HS-Xi-nyz0-3][AEIMQUYcgkosw048BFJNRVZdhlptx159][A-Za-z0-9+/_-]){3}/;
/** Hexadecimal of at least eight printable characters. */
const hexOfText = /(?:[2-7][0-9A-Fa-f]){8}/;
const hexRun = /[0-9A-Fa-f]{16,}/g;

/** No shorter run of letters is either of them. */
const shortestRun = 12;

/** Whether a character may stand in base64 of either alphabet. */
const letters = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))),
);

const isLetter = (text: string, at: number): boolean => letters[text.charCodeAt(at)] === 1;

/** Runs of letters that are long enough. Looks at one character in so many: any such run holds one of them. */
function* runsOf(text: string): Generator<readonly [start: number, run: string]> {
  let behind = 0;
  for (let at = shortestRun - 1; at < text.length; at += shortestRun) {
    if (!isLetter(text, at)) {
      continue;
    }
    let start = at;
    while (start > behind && isLetter(text, start - 1)) {
      start -= 1;
    }
    let end = at + 1;
    while (end < text.length && isLetter(text, end)) {
      end += 1;
    }
    if (end - start >= shortestRun) {
      yield [start, text.slice(start, end)];
    }
    behind = end;
    at = end - 1;
  }
}

/** What a run says from each place where a whole number of bytes may begin. */
function* readings(run: string, start: number, { sourceOf, name }: Pick<DecodedLayer, "sourceOf"> & Coding) {
  const [alignments, bitsOfLetter] = name === "hex" ? [2, 4] : [4, 6];
  for (let skipped = 0; skipped < alignments; skipped += 1) {
    yield {
      text: Buffer.from(run.slice(skipped), name).toString("latin1"),
      sourceOf: (at: number) => sourceOf(start + Math.min(run.length, skipped + Math.floor((at * 8) / bitsOfLetter))),
    };
  }
}

interface Coding {
  readonly name: "hex" | "base64";
}

/**
 * The parts of a text that are base64 or hexadecimal of text, each decoded, with the places its characters came from. What is
 * not printable is passed over: a secret that was encoded in any way is.
 */
function* codedParts({ text, sourceOf }: DecodedLayer): Generator<DecodedLayer> {
  for (const [start, run] of runsOf(text)) {
    if (base64OfText.test(run)) {
      yield* readings(run, start, { sourceOf, name: "base64" });
    }
    for (const { index, 0: hex } of hexOfText.test(run) ? run.matchAll(hexRun) : []) {
      yield* readings(hex, start + index, { sourceOf, name: "hex" });
    }
  }
}

/** A kind of text that is a secret by its look, for text in which each character is one byte. */
interface SecretShape {
  /** Cheap test; nothing of this shape is in a text that fails it. */
  readonly hint: RegExp;
  /** Group 1 is the secret; a match ends with it. Linear on hostile text: a run of characters is entered once only. */
  readonly pattern: RegExp;
}

/** No match of a shape, with what has to follow it, is longer than this many bytes. */
const maxShapeBytes = 32 * 1024;

// A secret begins where no word goes on, or after a JSON escape such as `\n`, whose letter belongs to no word. Looked at
// behind the first letters, because patterns that begin with a letter are found much faster.
const wordOf = (start: string): string => String.raw`${start}(?<=(?<![A-Za-z0-9_-])${start}|\\[bfnrt]${start})`;

// Printable ASCII without what ends a part of a URL or a JSON string. ASCII only: cutting a UTF-8 sequence would damage
// the text.
const userPart = String.raw`[A-Za-z0-9._~!$&()*+,;=%-]`;
const queryValue = String.raw`[A-Za-z0-9._~!$()*+,:/=%-]`;
const jwtPart = "[A-Za-z0-9_-]";

/**
 * Shapes replaced even when no such value is configured: tokens of the service, JWTs, credentials and tokens in URLs. They
 * are bounded, far above what is in use, so that a text can be searched in windows.
 */
const secretShapes: readonly SecretShape[] = [
  {
    hint: /sg[a-z]_/,
    pattern: new RegExp(
      `(${wordOf("sg")}(?:p_[A-Za-z0-9_]{8,1024}|[a-z]_(?:[A-Za-z0-9]{1,64}_)?[A-Za-z0-9]{16,1024}))`,
      "g",
    ),
  },
  {
    hint: /eyJ/,
    pattern: new RegExp(
      `(${wordOf("eyJ")}${jwtPart}{8,4096}[.]eyJ${jwtPart}{8,16384}[.]${jwtPart}{8,4096})(?!${jwtPart})`,
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
  // Links that share a conversation hold its read token.
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
 * What stands in place of a known secret, of the length of the text that was found: letters and digits, but only digits
 * for digits where the text could be a number of JSON, and structure as it was where the text reaches out of a string.
 */
function replacementOf(value: string, found: string, replacements: Replacements): string {
  if (isOutsideStrings(found)) {
    return replacements.ofNumber(value, found);
  }
  return hasBareQuote(found) ? replacements.ofJson(value, found) : replacements.spelled(value, found.length);
}

/** How many characters right before `at` are backslashes. */
function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") {
    count++;
  }
  return count;
}

/** How many characters before `at` the JSON escape began that goes on at `at`, and how many of it are left; or none. */
function openEscape(text: string, at: number): { readonly before: number; readonly left: number } {
  if (backslashesBefore(text, at) % 2 === 1) {
    return { before: 1, left: text.charAt(at) === "u" ? 5 : 1 };
  }
  const [unicode = ""] = /\\u[\dA-Fa-f]{0,3}$/.exec(text.slice(Math.max(0, at - 5), at)) ?? [];
  const isEscape = unicode !== "" && backslashesBefore(text, at - unicode.length) % 2 === 0;
  return isEscape ? { before: unicode.length, left: 6 - unicode.length } : { before: 0, left: 0 };
}

/** A secret that was found: where, and as what. */
interface Found {
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/**
 * What stands in place of a secret where it was found, so that JSON around it stays JSON: a part of an escape that began
 * before, or that goes on behind, is left as it is.
 */
function replaceFound(value: string, { text, at, length }: Found, replacements: Replacements): string {
  const end = at + length;
  const from = Math.min(end, at + openEscape(text, at).left);
  const to = Math.max(from, end - openEscape(text, end).before);
  return text.slice(at, from) + replacementOf(value, text.slice(from, to), replacements) + text.slice(to, end);
}

const rewriteKnown = (secrets: readonly Secret[], replacements: Replacements): readonly Rewrite[] =>
  createAllSecretPatterns(secrets).flatMap(({ secret, patterns, maxMatchBytes }) =>
    patterns.map(({ expression, mayOccur }): Rewrite => ({
      reachBytes: maxMatchBytes,
      apply: (text, { from, to }) =>
        mayOccur(text)
          ? text.replace(expression, (match: string, at: number) =>
              at < from || at + match.length > to
                ? match
                : replaceFound(secret.value, { text, at, length: match.length }, replacements),
            )
          : text,
    })),
  );

/** No encoded character of a secret is longer. */
const longestEncoded = 64;

/** A secret that a text says once encodings are taken off: where it stands, the end excluded. */
interface Encoded {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Characters that JSON may write behind a backslash; what stands between them is the same everywhere. */
const escapable = /[/"\\]/;

/** Characters that stand in more than one way where no encoding is left. */
const variable = /[ /"\\]/;

/** A byte in a regular expression, with the backslashes that JSON may write before it. */
function bareByte(one: string): string {
  const code = `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`;
  if (one === " ") {
    // A form writes a plus for a space.
    return String.raw`[ +]`;
  }
  return one === "\\" ? `${code}{1,4}` : escapable.test(one) ? `\\\\{0,4}${code}` : code;
}

/** What is looked for once encodings are taken off: the value itself, base64 and hexadecimal. */
const barePatterns = ({ secret, patterns: [, ...coded] }: SecretPatterns): readonly SecretPattern[] => {
  const bytes = Buffer.from(secret.value, "utf8").toString("latin1");
  const expression = new RegExp(bytes.replaceAll(/[^A-Za-z0-9]/g, bareByte), "g");
  const [longest = ""] = bytes.split(variable).toSorted((one, other) => other.length - one.length);
  return [{ expression, mayOccur: (text) => text.includes(longest) }, ...coded];
};

/** A secret and what is looked for once encodings are taken off. */
interface BareSecret {
  readonly value: string;
  readonly patterns: readonly SecretPattern[];
}

/** Where a layer says a secret. */
const foundIn = ({ text, sourceOf }: DecodedLayer, all: readonly BareSecret[]): readonly Encoded[] =>
  all.flatMap(({ value, patterns }) =>
    patterns
      .filter(({ mayOccur }) => mayOccur(text))
      .flatMap(({ expression }) =>
        Array.from(text.matchAll(expression), ({ index, 0: match }) => ({
          value,
          start: sourceOf(index),
          end: sourceOf(index + match.length),
        })),
      ),
  );

/** Base64 and hexadecimal in one another that are taken off, and what is around them and in them. */
const mostCodings = 3;

/** Where a text says a secret once encodings are taken off. What was found by itself is replaced already. */
function encodedIn(given: DecodedLayer, all: readonly BareSecret[], codings = 0): readonly Encoded[] {
  const layers = [...decodedLayers(given)];
  const coded =
    codings === mostCodings
      ? []
      : [given, ...layers].flatMap((layer) =>
          [...codedParts(layer)].flatMap((part) => [...foundIn(part, all), ...encodedIn(part, all, codings + 1)]),
        );
  return [...layers.flatMap((layer) => foundIn(layer, all)), ...coded];
}

/** Replaces what decodes to a secret and was not found as it stands. */
function rewriteEncoded(secrets: readonly Secret[], replacements: Replacements): Rewrite {
  const all = createAllSecretPatterns(secrets).map((one) => ({ value: one.secret.value, patterns: barePatterns(one) }));
  return {
    reachBytes: Math.max(0, ...all.map(({ value }) => value.length * longestEncoded)),
    apply(text, { from, to }) {
      let rewritten = text;
      for (const { value, start, end } of all.length === 0 ? [] : encodedIn({ text, sourceOf: (at) => at }, all)) {
        const isWhole = rewritten.slice(start, end) === text.slice(start, end);
        if (start >= from && end <= to && isWhole) {
          const found = { text: rewritten, at: start, length: end - start };
          rewritten = rewritten.slice(0, start) + replaceFound(value, found, replacements) + rewritten.slice(end);
        }
      }
      return rewritten;
    },
  };
}

const rewriteShapes = (replacements: Replacements): readonly Rewrite[] =>
  secretShapes.map(({ hint, pattern }): Rewrite => ({
    reachBytes: maxShapeBytes,
    apply: (text, { from, to }) =>
      hint.test(text)
        ? text.replace(pattern, (match: string, secret: string, at: number) =>
            at < from || at + match.length > to || replacements.isOne(secret)
              ? match
              : match.slice(0, -secret.length) + replacements.of(secret, secret.length),
          )
        : text,
  }));

/** Rewrites for known secrets, longest first, and for whatever looks like a secret. Rewriting twice changes nothing more. */
export const createRewrites = (secrets: readonly Secret[], replacements: Replacements): Rewrites => ({
  first: [...rewriteKnown(secrets, replacements), rewriteEncoded(secrets, replacements)],
  second: rewriteShapes(replacements),
});
