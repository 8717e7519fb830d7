import { quoteWord } from "./quote-word.ts";

/** A pattern that matches the targets of an entry. */
export interface TargetPattern {
  /** The target in normalized form, without user name and password. Equal for equal targets. */
  readonly text: string;
  /** Required prefix of a normalized target that ends with a slash. Empty for any target. */
  readonly prefix: string;
}

/** A parsed value, or a clause that describes a mistake and its correction. */
export type ParseResult<Value> = { readonly value: Value } | { readonly mistake: string };

const hint = "write a base URL such as https://search.example.com, or `*` for any target";

const isHttp = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

const parseHttpUrl = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && isHttp(url) ? url : undefined;
};

/** Returns the origin and path of a URL, without user name, password, query and fragment. */
const originAndPath = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

const trimTrailingSlashes = (text: string): string => text.replace(/\/+$/u, "");

/** Parses a prefix of a URL. The host is complete only if it is followed by a slash. */
const readPrefix = (text: string): ParseResult<TargetPattern> => {
  const [, scheme, authority, path] = /^(https?:\/\/)([^/]*)(\/.*)?$/iu.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) {
    return { mistake: `the target ${quoteWord(`${text}*`)} does not begin an http or https address; ${hint}` };
  }
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const url = path === undefined ? undefined : parseHttpUrl(`${scheme}${host}${path}`);
  if (path !== undefined && url === undefined) {
    return { mistake: `the target ${quoteWord(`${text}*`)} is not an address; ${hint}` };
  }
  const prefix = url === undefined ? `${scheme}${host}`.toLowerCase() : originAndPath(url);
  return { value: { text: `${prefix}*`, prefix } };
};

const readBaseUrl = (text: string): ParseResult<TargetPattern> => {
  const url = parseHttpUrl(text);
  if (url === undefined) {
    return { mistake: `the target ${quoteWord(text)} is not an http or https address; ${hint}` };
  }
  const normalizedUrl = trimTrailingSlashes(originAndPath(url));
  return { value: { text: normalizedUrl, prefix: `${normalizedUrl}/` } };
};

/**
 * Parses the target of an entry: a base URL, which matches itself and all paths below it, or a prefix of URLs followed by `*`. `*` alone
 * matches any target, including a recording. Drops user name and password. Everything else is a mistake, including a query, a fragment,
 * and a `*` that is not at the end.
 */
export const readTarget = (word: string): ParseResult<TargetPattern> => {
  if (word === "*") {
    return { value: { text: "*", prefix: "" } };
  }
  if (/[?#]/u.test(word)) {
    return { mistake: `the target ${quoteWord(word)} has a query or a fragment; leave it out` };
  }
  if (word.slice(0, -1).includes("*")) {
    return { mistake: `the target ${quoteWord(word)} has a \`*\` that is not at its end; ${hint}` };
  }
  return word.endsWith("*") ? readPrefix(word.slice(0, -1)) : readBaseUrl(word);
};

/** Reports whether a pattern matches a target, which is a base URL or the name of a recording. */
export const matchesTarget = ({ prefix }: TargetPattern, target: string): boolean => {
  const url = parseHttpUrl(target);
  return prefix === "" || (url !== undefined && `${trimTrailingSlashes(originAndPath(url))}/`.startsWith(prefix));
};
