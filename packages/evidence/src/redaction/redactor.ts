import { Buffer } from "node:buffer";
import type { Chunk, ExchangeDraft, HeaderField, RequestRecord, ResponseDraft } from "../exchange.ts";
import { redactPieces } from "./redact-pieces.ts";
import type { Rewrites } from "./redact-pieces.ts";
import { createReplacements } from "./replacement.ts";
import type { Replacements } from "./replacement.ts";
import { isSecretHeaderName, replaceInHeader } from "./secret-headers.ts";
import { minSecretLength } from "./secret-patterns.ts";
import type { Secret } from "./secret-patterns.ts";
import { createRewrites } from "./rewrites.ts";

/** Rewrites that grow with what answers name as a secret. */
interface LearnedSecrets {
  /** The rewrites for everything known so far. */
  readonly rewrites: () => Rewrites;
  /** Takes the read tokens that an answer names for secrets from now on, wherever they stand: links hold them too. */
  readonly learn: (draft: ExchangeDraft) => void;
}

/** Of more read tokens than any run makes, the rest are replaced only where their look gives them away. */
const maxLearned = 1000;

const namedReadToken = /"read_token"[ ]?:[ ]?"((?:[ !#-[\]-~]|\\(?:["/\\]|u[\dA-Fa-f]{4})){1,4096})"/g;
const escaped = /\\(?:u([\dA-Fa-f]{4})|([^]))/g;

/** What a JSON string says that has no other escapes than those of `namedReadToken`. */
const unescaped = (text: string): string =>
  text.replaceAll(escaped, (_escape, code: string | undefined, character = "") =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Read tokens that a body names, of printable characters; too short ones could be anything. */
function readTokensIn(chunks: readonly Chunk[]): readonly string[] {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString("latin1");
  const tokens = [...text.matchAll(namedReadToken)].map(([, token = ""]) => unescaped(token));
  return tokens.filter((token) => token.length >= minSecretLength && /^[ -~]+$/.test(token));
}

/** Begins with the given secrets. Streams are not learned from: they hold whatever code was found. */
function createLearnedSecrets(secrets: readonly Secret[], replacements: Replacements): LearnedSecrets {
  const learned = new Set<string>();
  let rewrites = createRewrites(secrets, replacements);
  const learn = ({ interface: name, response }: ExchangeDraft): void => {
    const named = name === "stream" || response === undefined ? [] : readTokensIn(response.chunks);
    const fresh = named.filter((token) => !learned.has(token));
    if (fresh.length === 0 || learned.size >= maxLearned) {
      return;
    }
    fresh.forEach((token) => learned.add(token));
    const all = [...learned].map((value) => ({ name: "a read token", value }));
    rewrites = createRewrites([...secrets, ...all], replacements);
  };
  return { rewrites: () => rewrites, learn };
}

/**
 * Replaces secrets by text of the same byte length; JSON stays JSON, digits in place of digits where it could be a number.
 * Redacting what was redacted changes nothing.
 */
export interface Redactor {
  /** The input itself when nothing was found. */
  bytes(input: Uint8Array): Uint8Array;
  text(input: string): string;
  headers(fields: readonly HeaderField[]): readonly HeaderField[];
  /** Request, response and message of an exchange; chunk lengths stay, also where a secret was cut by a chunk boundary. */
  draft(draft: ExchangeDraft): ExchangeDraft;
  /** Takes the read tokens that an answer names for secrets from now on. `draft` does that itself. */
  learn(draft: ExchangeDraft): void;
}

export interface RedactorOptions {
  /** Known secrets. A value of fewer than 8 characters is refused with `secret-refused`. */
  readonly secrets: readonly Secret[];
  /** Names of headers whose values are secrets, besides the usual ones. */
  readonly secretHeaderNames?: readonly string[];
  /** Key of the run: random, at least 16 bytes, never stored. Equal secrets have equal replacements under one key. */
  readonly key: Uint8Array;
}

/** More kept values would be those of headers that never come again. */
const mostKept = 1000;
/** Longer ones are not kept, since they would take much memory. */
const longestKept = 1024;

/**
 * Gives what was made for the same key before, as long as the rewrites are the same: most headers of a run come again with each
 * request.
 */
function createMemo(rewrites: () => Rewrites) {
  let current = rewrites();
  const kept = new Map<string, HeaderField>();
  return (key: string, make: () => HeaderField): HeaderField => {
    if (current !== rewrites() || kept.size >= mostKept) {
      current = rewrites();
      kept.clear();
    }
    const known = kept.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = make();
    if (key.length <= longestKept) {
      kept.set(key, made);
    }
    return made;
  };
}

function redactChunks(chunks: readonly Chunk[], rewrites: Rewrites): readonly Chunk[] {
  const given = chunks.map(({ bytes }) => bytes);
  const redacted = redactPieces(given, rewrites);
  return redacted === given
    ? chunks
    : chunks.map(({ bytes, atMicros }, index) => ({ atMicros, bytes: redacted[index] ?? bytes }));
}

/**
 * A redactor for one run. It finds the known values in their usual encodings, secrets by their look (tokens of the
 * service, JWTs, credentials in URLs) and values of headers by the name of the header.
 */
export function createRedactor({ secrets, secretHeaderNames = [], key }: RedactorOptions): Redactor {
  const replacements = createReplacements(key);
  const { rewrites, learn } = createLearnedSecrets(secrets, replacements);
  const moreNames = new Set(secretHeaderNames.map((name) => name.toLowerCase()));
  const bytes = (input: Uint8Array): Uint8Array => redactPieces([input], rewrites())[0] ?? input;
  const text = (input: string): string => {
    const encoded = Buffer.from(input, "utf8");
    const redacted = bytes(encoded);
    return redacted === encoded ? input : Buffer.from(redacted).toString("utf8");
  };
  const inHeader = (value: string): string => {
    // A known value has the same replacement here as in a body.
    const known = text(value);
    return replacements.isOne(known) ? known : replacements.of(known, known.length);
  };
  const header = (field: HeaderField): HeaderField =>
    isSecretHeaderName(field[0], moreNames) ? replaceInHeader(field, inHeader) : [text(field[0]), text(field[1])];
  const memo = createMemo(rewrites);
  const headers = (fields: readonly HeaderField[]): readonly HeaderField[] =>
    fields.map((field) => memo(`${field[0].length} ${field.join("")}`, () => header(field)));
  const request = ({ url, body, ...rest }: RequestRecord): RequestRecord => ({
    ...rest,
    url: text(url),
    headers: headers(rest.headers),
    ...(body === undefined ? {} : { body: text(body) }),
  });
  const response = (draft: ResponseDraft): ResponseDraft => ({
    ...draft,
    headers: headers(draft.headers),
    chunks: redactChunks(draft.chunks, rewrites()),
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
        request: request(draft.request),
        ...(draft.response === undefined ? {} : { response: response(draft.response) }),
        end: draft.end.kind === "failed" ? { ...draft.end, message: text(draft.end.message) } : draft.end,
      };
    },
  };
}
