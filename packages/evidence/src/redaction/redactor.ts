import { Buffer } from "node:buffer";
import type { Chunk, ExchangeDraft, HeaderField, RequestRecord, ResponseDraft } from "../exchange.ts";
import { redactPieces } from "./redact-pieces.ts";
import type { Rewrites } from "./redact-pieces.ts";
import { createReplacements } from "./replacement.ts";
import { isSecretHeaderName, replaceInHeader } from "./secret-headers.ts";
import { createSecretPatterns, minSecretLength } from "./secret-patterns.ts";
import type { Secret } from "./secret-patterns.ts";
import { SecretRewrites } from "./rewrites.ts";

/** Maximum number of learned read tokens, more than any run creates. Further ones are replaced only if they have a known shape. */
const maxLearned = 1000;

const readTokenMember = /"read_token"[ ]?:[ ]?"((?:[ !#-[\]-~]|\\(?:["/\\]|u[\dA-Fa-f]{4})){1,4096})"/g;
const jsonEscape = /\\(?:u([\dA-Fa-f]{4})|([^]))/g;

/** Decodes a JSON string that contains only the escapes matched by `readTokenMember`. */
const unescapeJson = (text: string): string =>
  text.replaceAll(jsonEscape, (_escape, code: string | undefined, character = "") =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Read tokens in a body, if they are printable. Short ones could be any text. */
function findReadTokens(chunks: readonly Chunk[]): readonly string[] {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString("latin1");
  const tokens = [...text.matchAll(readTokenMember)].map(([, token = ""]) => unescapeJson(token));
  return tokens.filter((token) => token.length >= minSecretLength && /^[ -~]+$/.test(token));
}

/**
 * Returns a function that treats the read tokens in a response as secrets from now on, wherever they appear: links contain them too. Does
 * not learn from streams, which contain arbitrary code.
 */
function createLearner(rewrites: SecretRewrites): (draft: ExchangeDraft) => void {
  const learnedTokens = new Set<string>();
  return ({ interface: name, response }) => {
    for (const value of name === "stream" || response === undefined ? [] : findReadTokens(response.chunks)) {
      if (!learnedTokens.has(value) && learnedTokens.size < maxLearned) {
        learnedTokens.add(value);
        rewrites.add(createSecretPatterns({ name: "a read token", value }));
      }
    }
  };
}

/**
 * Replaces secrets with text of the same byte length. JSON stays JSON: where the secret could be a number, digits replace
 * digits. Redacting twice changes nothing.
 */
export interface Redactor {
  /** Returns the input itself if nothing was found. */
  bytes(input: Uint8Array): Uint8Array;
  text(input: string): string;
  headers(fields: readonly HeaderField[]): readonly HeaderField[];
  /**
   * Redacts the request, response and message of an exchange. Chunk lengths stay, even if a chunk boundary split a secret.
   */
  draft(draft: ExchangeDraft): ExchangeDraft;
  /** Treats the read tokens in a response as secrets from now on. `draft` calls this itself. */
  learn(draft: ExchangeDraft): void;
}

export interface RedactorOptions {
  /** Known secrets. Throws `secret-refused` for values shorter than 8 characters. */
  readonly secrets: readonly Secret[];
  /** Names of headers whose values are secrets, in addition to the usual ones. */
  readonly secretHeaderNames?: readonly string[];
  /** Key of the run: random, at least 16 bytes, never stored. With one key, equal secrets have equal replacements. */
  readonly key: Uint8Array;
}

/** Additional values would be headers that never repeat. */
const maxCached = 1000;
/** Longer values are not cached, to limit memory. */
const maxCachedLength = 1024;

/** Caches results by key until the rewrites change. Most headers repeat with every request. */
function createMemo(rewrites: SecretRewrites) {
  let { current } = rewrites;
  const cache = new Map<string, HeaderField>();
  return (key: string, createField: () => HeaderField): HeaderField => {
    if (current !== rewrites.current || cache.size >= maxCached) {
      ({ current } = rewrites);
      cache.clear();
    }
    const cached = cache.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const field = createField();
    if (key.length <= maxCachedLength) {
      cache.set(key, field);
    }
    return field;
  };
}

function redactChunks(chunks: readonly Chunk[], rewrites: Rewrites): readonly Chunk[] {
  const originalBytes = chunks.map(({ bytes }) => bytes);
  const redacted = redactPieces(originalBytes, rewrites);
  return redacted === originalBytes
    ? chunks
    : chunks.map(({ bytes, atMicros }, index) => ({ atMicros, bytes: redacted[index] ?? bytes }));
}

/**
 * Creates a redactor for one run. Finds known values in their usual encodings, secrets by their shape (tokens of the service, JWTs,
 * credentials in URLs) and header values by the header name.
 */
export function createRedactor({ secrets, secretHeaderNames = [], key }: RedactorOptions): Redactor {
  const replacements = createReplacements(key);
  const rewrites = new SecretRewrites(secrets.map(createSecretPatterns), replacements);
  const learn = createLearner(rewrites);
  const moreNames = new Set(secretHeaderNames.map((name) => name.toLowerCase()));
  const bytes = (input: Uint8Array): Uint8Array => redactPieces([input], rewrites.current)[0] ?? input;
  const text = (input: string): string => {
    const encoded = Buffer.from(input, "utf8");
    const redacted = bytes(encoded);
    return redacted === encoded ? input : Buffer.from(redacted).toString("utf8");
  };
  const redactHeaderSecret = (value: string): string => {
    // A known value has the same replacement here as in a body.
    const redactedValue = text(value);
    return replacements.isReplacement(redactedValue)
      ? redactedValue
      : replacements.forValue(redactedValue, redactedValue.length);
  };
  const redactHeader = (field: HeaderField): HeaderField =>
    isSecretHeaderName(field[0], moreNames)
      ? replaceInHeader(field, redactHeaderSecret)
      : [text(field[0]), text(field[1])];
  const memo = createMemo(rewrites);
  const headers = (fields: readonly HeaderField[]): readonly HeaderField[] =>
    fields.map((field) => memo(`${field[0].length} ${field.join("")}`, () => redactHeader(field)));
  const redactRequest = ({ url, body, ...rest }: RequestRecord): RequestRecord => ({
    ...rest,
    url: text(url),
    headers: headers(rest.headers),
    ...(body === undefined ? {} : { body: text(body) }),
  });
  const redactResponse = (draft: ResponseDraft): ResponseDraft => ({
    ...draft,
    headers: headers(draft.headers),
    chunks: redactChunks(draft.chunks, rewrites.current),
  });
  return {
    bytes,
    text,
    headers,
    learn,
    draft(draft) {
      learn(draft);
      return {
        ...draft,
        request: redactRequest(draft.request),
        ...(draft.response === undefined ? {} : { response: redactResponse(draft.response) }),
        end: draft.end.kind === "failed" ? { ...draft.end, message: text(draft.end.message) } : draft.end,
      };
    },
  };
}
