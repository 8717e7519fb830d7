import { HarnessError } from "@assay/contract";
import type { Secret } from "@assay/evidence";
import { minSecretLength } from "@assay/evidence";
import { type Environment, findFirstSet } from "../credentials/environment.ts";
import { isExempt } from "./no-proxy.ts";
import { isProtocolText } from "../protocol-text.ts";

/** Reports whether a host name refers to this machine. */
export const isLoopback = (hostname: string): boolean =>
  /(?:^|\.)localhost\.?$/u.test(hostname) ||
  hostname === "[::1]" ||
  /^127(?:\.\d+){3}$/u.test(hostname) ||
  /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/u.test(hostname);

function rejectProxy(name: string, reason: string): never {
  throw new HarnessError("bad-proxy", `${name} ${reason}; write it like http://proxy.example.com:3128`);
}

const addScheme = (value: string): string => (value.includes("://") ? value : `http://${value}`);

/** Percent-decodes part of a URL. Returns undefined if it is invalid. */
function percentDecode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // The caller reports it.
    return undefined;
  }
}

/** Parses the URL of a proxy. Messages do not quote it, because it may contain a password. */
function parseProxy({ name, value }: { readonly name: string; readonly value: string }): URL {
  if (/^(?:\/|~|unix:|%USERPROFILE%|[a-z]:\\)/iu.test(value)) {
    rejectProxy(name, "is a Unix socket, which is not supported");
  }
  const text = addScheme(value);
  const url = URL.canParse(text) ? new URL(text) : rejectProxy(name, "is not a URL");
  if (url.protocol.startsWith("socks")) {
    rejectProxy(name, "is a SOCKS proxy, which is not supported");
  }
  if (percentDecode(url.username) === undefined || percentDecode(url.password) === undefined) {
    rejectProxy(name, "contains an invalid percent-encoding in its user name or password; write a literal % as %25");
  }
  return url.protocol === "http:" || url.protocol === "https:" ? url : rejectProxy(name, "is neither http nor https");
}

const listProxyVariables = (protocol: string): readonly string[] =>
  protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];

/** The environment variable that sets the proxy of a URL. */
export interface ProxySetting {
  readonly name: string;
  /** May contain a password: never show it. */
  readonly value: string;
  /** True if `NO_PROXY` exempts the URL. */
  readonly isExempt: boolean;
}

/** Variables that list directly reachable hosts. The first one that is set takes precedence. */
export const noProxyVariables: readonly string[] = ["no_proxy", "NO_PROXY"];

/**
 * Returns the variable that determines the proxy of a URL: `SRC_PROXY` for all URLs, otherwise `HTTPS_PROXY` or `HTTP_PROXY` by scheme,
 * except for loopback addresses and hosts in `NO_PROXY` (see `isExempt`). Lower-case names take precedence. Returns undefined if there is
 * no proxy.
 */
export function findProxySetting(target: URL, env: Environment): ProxySetting | undefined {
  const universalProxy = findFirstSet(env, ["SRC_PROXY"]);
  if (universalProxy !== undefined) {
    return { ...universalProxy, isExempt: false };
  }
  const schemeProxy = findFirstSet(env, listProxyVariables(target.protocol));
  return schemeProxy === undefined || isLoopback(target.hostname)
    ? undefined
    : { ...schemeProxy, isExempt: isExempt(target, findFirstSet(env, noProxyVariables)?.value ?? "") };
}

/**
 * Returns the URL of the proxy of a target, or undefined. It may contain a password: never show it. Throws `bad-proxy` if the proxy is not
 * http or https.
 */
export function chooseProxy(target: URL, env: Environment): URL | undefined {
  const setting = findProxySetting(target, env);
  const proxy = setting && parseProxy(setting);
  return setting?.isExempt === true ? undefined : proxy;
}

/** Variables that may set a proxy. */
export const proxyVariables: readonly string[] = [
  "SRC_PROXY",
  ...listProxyVariables("https:"),
  ...listProxyVariables("http:"),
];

/** Returns the passwords in proxy URLs as secrets for the redactor. Omits short ones and protocol words. */
export function findProxySecrets(env: Environment): readonly Secret[] {
  return proxyVariables.flatMap((name) => {
    const value = addScheme(env[name] ?? "");
    const encodedPassword = URL.canParse(value) ? new URL(value).password : "";
    const password = percentDecode(encodedPassword) ?? encodedPassword;
    return password.length < minSecretLength || isProtocolText(password)
      ? []
      : [{ name: `password in ${name}`, value: password }];
  });
}
