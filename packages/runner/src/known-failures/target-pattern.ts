import { quoted } from "./quoted.ts";

/** A pattern that matches the targets of an entry. */
export interface TargetPattern {
  /** The target in normalized form, without user name and password. Equal for equal targets. */
  readonly text: string;
  /** Required prefix of a normalized target that ends with a slash. Empty for any target. */
  readonly beginning: string;
}

/** A parsed value, or a clause that describes a mistake and its correction. */
export type Read<Value> = { readonly value: Value } | { readonly mistake: string };

const example = "write a base URL such as https://search.example.com, or `*` for any target";

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

const webAddress = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && isWeb(url) ? url : undefined;
};

/** Returns the origin and path of a URL, without user name, password, query and fragment. */
const bare = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

const withoutSlashes = (text: string): string => text.replace(/\/+$/u, "");

/** Parses a prefix of a URL. The host is complete only if it is followed by a slash. */
const readBeginning = (text: string): Read<TargetPattern> => {
  const [, scheme, authority, path] = /^(https?:\/\/)([^/]*)(\/.*)?$/iu.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) {
    return { mistake: `the target ${quoted(`${text}*`)} does not begin an http or https address; ${example}` };
  }
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const url = path === undefined ? undefined : webAddress(`${scheme}${host}${path}`);
  if (path !== undefined && url === undefined) {
    return { mistake: `the target ${quoted(`${text}*`)} is not an address; ${example}` };
  }
  const beginning = url === undefined ? `${scheme}${host}`.toLowerCase() : bare(url);
  return { value: { text: `${beginning}*`, beginning } };
};

const readBaseUrl = (text: string): Read<TargetPattern> => {
  const url = webAddress(text);
  if (url === undefined) {
    return { mistake: `the target ${quoted(text)} is not an http or https address; ${example}` };
  }
  const normal = withoutSlashes(bare(url));
  return { value: { text: normal, beginning: `${normal}/` } };
};

/**
 * Parses the target of an entry: a base URL, which matches itself and all paths below it, or a prefix of URLs followed by `*`. `*` alone
 * matches any target, including a recording. Drops user name and password. Everything else is a mistake, including a query, a fragment,
 * and a `*` that is not at the end.
 */
export const readTarget = (word: string): Read<TargetPattern> => {
  if (word === "*") {
    return { value: { text: "*", beginning: "" } };
  }
  if (/[?#]/u.test(word)) {
    return { mistake: `the target ${quoted(word)} has a query or a fragment; leave it out` };
  }
  if (word.slice(0, -1).includes("*")) {
    return { mistake: `the target ${quoted(word)} has a \`*\` that is not at its end; ${example}` };
  }
  return word.endsWith("*") ? readBeginning(word.slice(0, -1)) : readBaseUrl(word);
};

/** Reports whether a pattern matches a target, which is a base URL or the name of a recording. */
export const matchesTarget = ({ beginning }: TargetPattern, target: string): boolean => {
  const url = webAddress(target);
  return beginning === "" || (url !== undefined && `${withoutSlashes(bare(url))}/`.startsWith(beginning));
};
