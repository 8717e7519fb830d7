import { Buffer } from "node:buffer";
import type { Chunk, ExchangeDraft, HeaderField, ResponseDraft } from "./exchange.ts";
import { createReplacements, type Replacements } from "./replacement.ts";
import { isSecretHeaderName, replaceInHeader } from "./secret-headers.ts";
import { createAllSecretPatterns, type Secret } from "./secret-patterns.ts";
import { secretShapes } from "./secret-shapes.ts";

/** Replaces secrets by text of the same byte length. Redacting what was redacted changes nothing. */
export interface Redactor {
  /** The input itself when nothing was found. */
  bytes(input: Uint8Array): Uint8Array;
  text(input: string): string;
  headers(fields: readonly HeaderField[]): readonly HeaderField[];
  /** Request, response and message of an exchange; chunk lengths stay, also where a secret was cut by a chunk boundary. */
  draft(draft: ExchangeDraft): ExchangeDraft;
}

export interface RedactorOptions {
  /** Known secrets. A value of fewer than 8 characters is refused with `secret-refused`. */
  readonly secrets: readonly Secret[];
  /** Names of headers whose values are secrets, besides the usual ones. */
  readonly secretHeaderNames?: readonly string[];
  /** Key of the run: random, at least 16 bytes, never stored. Equal secrets have equal replacements under one key. */
  readonly key: Uint8Array;
}

type Rewrite = (text: string) => string;

/** How many characters before `at` are backslashes. */
function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") {
    count++;
  }
  return count;
}

/**
 * How many first characters of a match belong to a JSON escape that began before it and must stay, or the text would no
 * longer be JSON: the letter of `\n`, the five characters of `\u0041`.
 */
function lengthOfOpenEscape(text: string, at: number): number {
  if (backslashesBefore(text, at) % 2 === 0 || text.charAt(at) === "\\") {
    return 0;
  }
  return text.charAt(at) === "u" ? 5 : 1;
}

const rewriteKnown = (secrets: readonly Secret[], replacements: Replacements): readonly Rewrite[] =>
  createAllSecretPatterns(secrets).flatMap(({ secret, patterns }) =>
    patterns.map(
      (pattern): Rewrite =>
        (text) =>
          text.replace(pattern, (match: string, at: number) => {
            const kept = match.slice(0, lengthOfOpenEscape(text, at));
            return kept + replacements.of(secret.value, match.length - kept.length);
          }),
    ),
  );

const replaceOnce =
  (replacements: Replacements) =>
  (value: string): string =>
    replacements.isOne(value) ? value : replacements.of(value, value.length);

const rewriteShapes = (replacements: Replacements): readonly Rewrite[] =>
  secretShapes.map(({ hint, pattern }): Rewrite => {
    const replace = replaceOnce(replacements);
    return (text) =>
      hint.test(text)
        ? text.replace(pattern, (_match, before: string, secret: string) => before + replace(secret))
        : text;
  });

function redactBytes(input: Uint8Array, rewrites: readonly Rewrite[]): Uint8Array {
  // One character per byte: offsets in the text are offsets in the bytes, and what is not UTF-8 survives.
  const before = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString("latin1");
  const after = rewrites.reduce((text, rewrite) => rewrite(text), before);
  return after === before ? input : Buffer.from(after, "latin1");
}

function redactChunks(chunks: readonly Chunk[], redact: (input: Uint8Array) => Uint8Array): readonly Chunk[] {
  const whole = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const redacted = redact(whole);
  let at = 0;
  return redacted === whole
    ? chunks
    : chunks.map(({ bytes, atMicros }) => ({ atMicros, bytes: redacted.subarray(at, (at += bytes.length)) }));
}

/**
 * A redactor for one run. It finds the known values in their usual encodings, secrets by their look (tokens of the
 * service, JWTs, credentials in URLs) and values of headers by the name of the header.
 */
export function createRedactor({ secrets, secretHeaderNames = [], key }: RedactorOptions): Redactor {
  const replacements = createReplacements(key);
  const rewrites = [...rewriteKnown(secrets, replacements), ...rewriteShapes(replacements)];
  const moreNames = new Set(secretHeaderNames.map((name) => name.toLowerCase()));
  const bytes = (input: Uint8Array): Uint8Array => redactBytes(input, rewrites);
  const text = (input: string): string => {
    const encoded = Buffer.from(input, "utf8");
    const redacted = bytes(encoded);
    return redacted === encoded ? input : Buffer.from(redacted).toString("utf8");
  };
  const header = (field: HeaderField): HeaderField =>
    isSecretHeaderName(field[0], moreNames)
      ? replaceInHeader(field, replaceOnce(replacements))
      : [text(field[0]), text(field[1])];
  const headers = (fields: readonly HeaderField[]): readonly HeaderField[] => fields.map(header);
  const response = (draft: ResponseDraft): ResponseDraft => ({
    ...draft,
    headers: headers(draft.headers),
    chunks: redactChunks(draft.chunks, bytes),
  });
  return {
    bytes,
    text,
    headers,
    draft: (draft) => ({
      ...draft,
      request: { ...draft.request, url: text(draft.request.url), headers: headers(draft.request.headers) },
      ...(draft.response === undefined ? {} : { response: response(draft.response) }),
      end: draft.end.kind === "failed" ? { ...draft.end, message: text(draft.end.message) } : draft.end,
    }),
  };
}
