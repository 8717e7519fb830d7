import type { HeaderField } from "./exchange.ts";

const secretNames: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);
const secretPrefix = "x-sourcegraph-";
const secretWord = /(?:^|[-_])(?:token|secret|password|api-?key|credentials?|jwt|assertion|session)(?:$|[-_])/;
const schemeAndRest = /^((?:token|bearer|basic|digest|negotiate|token-sudo|assay)\s+)(.+)$/is;

/**
 * Whether the value of a header is a secret by the name of the header: credentials and cookies, the service's own
 * headers, names with a word like `token`, and `moreNames` (lower case).
 */
export function isSecretHeaderName(name: string, moreNames: ReadonlySet<string> = new Set()): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || lower.startsWith(secretPrefix) || secretWord.test(lower) || moreNames.has(lower);
}

/** Splits the value of a header into the word that names the scheme, with its space, and the secret. */
export function splitScheme(value: string): readonly [scheme: string, secret: string] {
  const match = schemeAndRest.exec(value);
  return [match?.[1] ?? "", match?.[2] ?? value];
}

/** The value of a header with its secret passed through `replace`; the scheme word stays. */
export function replaceInHeader([name, value]: HeaderField, replace: (secret: string) => string): HeaderField {
  const [scheme, secret] = splitScheme(value);
  return [name, scheme + replace(secret)];
}
