import { Buffer } from "node:buffer";
import type { HeaderField } from "../exchange.ts";
import { minSecretLength, type Secret } from "./secret-patterns.ts";

const secretNames: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);
const secretPrefix = "x-sourcegraph-";
const secretWord = /(?:^|[-_])(?:token|secret|password|api-?key|credentials?|jwt|assertion|session)(?:$|[-_])/;
const schemeAndRest = /^((?:token|bearer|basic|digest|negotiate|token-sudo|assay)\s+)(.+)$/is;

/**
 * Reports whether a header with this name holds a secret: credentials and cookies, the service's own headers, names with a word like
 * `token`, and `moreNames` (lower case).
 */
export function isSecretHeaderName(name: string, moreNames: ReadonlySet<string> = new Set()): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || lower.startsWith(secretPrefix) || secretWord.test(lower) || moreNames.has(lower);
}

/** Splits a header value into the scheme, with its space, and the secret. */
export function splitScheme(value: string): readonly [scheme: string, secret: string] {
  const match = schemeAndRest.exec(value);
  return [match?.[1] ?? "", match?.[2] ?? value];
}

/** Passes the secret in a header value through `replace`. Keeps the scheme. */
export function replaceInHeader([name, value]: HeaderField, replace: (secret: string) => string): HeaderField {
  const [scheme, secret] = splitScheme(value);
  return [name, scheme + replace(secret)];
}

const minCookieLength = 16;

/** Returns the secrets in a header value: the text after the scheme, or the values of long cookies. */
function findSecretParts(name: string, value: string): readonly string[] {
  if (/^(?:set-)?cookie$/i.test(name)) {
    return value
      .split(";")
      .map((pair) => pair.slice(pair.indexOf("=") + 1).trim())
      .filter((part) => part.length >= minCookieLength);
  }
  return [splitScheme(value)[1].trim()];
}

/** Secret values of headers. Omits values that are too short to search for. */
export const findSecretsInHeaders = (fields: readonly HeaderField[]): readonly Secret[] =>
  fields
    .filter(([name]) => isSecretHeaderName(name))
    .flatMap(([name, value]) =>
      findSecretParts(name, value).map((part) => ({ name: `the header ${name}`, value: part })),
    )
    .filter(({ value }) => value.length >= minSecretLength && Buffer.from(value, "utf8").toString("utf8") === value);
