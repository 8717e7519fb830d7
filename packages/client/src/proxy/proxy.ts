import { HarnessError } from "@assay/contract";
import type { Secret } from "@assay/evidence";
import { minSecretLength } from "@assay/evidence";
import { type Environment, firstSet } from "../credentials/environment.ts";
import { isExempt } from "./no-proxy.ts";
import { isProtocolText } from "../protocol-text.ts";

/** Reports whether the host name of a URL is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /(?:^|\.)localhost\.?$/u.test(hostname) ||
  hostname === "[::1]" ||
  /^127(?:\.\d+){3}$/u.test(hostname) ||
  /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/u.test(hostname);

function refuse(name: string, why: string): never {
  throw new HarnessError("bad-proxy", `${name} ${why}; write it like http://proxy.example.com:3128`);
}

const addressOf = (value: string): string => (value.includes("://") ? value : `http://${value}`);

/** Percent-decodes part of a URL; undefined if it is invalid. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // The caller reports it.
    return undefined;
  }
}

/** Messages do not quote the value, because it may contain a password. */
function parseProxy({ name, value }: { readonly name: string; readonly value: string }): URL {
  if (/^(?:\/|~|unix:|%USERPROFILE%|[a-z]:\\)/iu.test(value)) {
    refuse(name, "names a Unix socket, which is not supported");
  }
  const text = addressOf(value);
  const url = URL.canParse(text) ? new URL(text) : refuse(name, "is not an address");
  if (url.protocol.startsWith("socks")) {
    refuse(name, "names a SOCKS proxy, which is not supported");
  }
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) {
    refuse(name, "has a % in its user name or password that stands for no character; write it as %25");
  }
  return url.protocol === "http:" || url.protocol === "https:" ? url : refuse(name, "is neither http nor https");
}

const variablesFor = (protocol: string): readonly string[] =>
  protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];

/** The variable that names the proxy of a URL. */
export interface ProxySetting {
  readonly name: string;
  /** May contain a password: never show it. */
  readonly value: string;
  /** Reports whether `NO_PROXY` exempts the URL. */
  readonly isExempt: boolean;
}

/** Variables that list directly reachable hosts. The first that is set counts. */
export const noProxyVariables: readonly string[] = ["no_proxy", "NO_PROXY"];

/**
 * The variable that determines the proxy of a URL: `SRC_PROXY` for all URLs, else `HTTPS_PROXY` or `HTTP_PROXY` by scheme,
 * except for loopback addresses and those in `NO_PROXY` (see `isExempt`). Lower-case names take precedence. Undefined for
 * none.
 */
export function proxySettingFor(target: URL, env: Environment): ProxySetting | undefined {
  const forAll = firstSet(env, ["SRC_PROXY"]);
  if (forAll !== undefined) {
    return { ...forAll, isExempt: false };
  }
  const found = firstSet(env, variablesFor(target.protocol));
  return found === undefined || isLoopback(target.hostname)
    ? undefined
    : { ...found, isExempt: isExempt(target, firstSet(env, noProxyVariables)?.value ?? "") };
}

/**
 * URL of the proxy of a target; undefined for none. May contain a password: never show it. Throws `bad-proxy` for anything
 * but an http or https proxy.
 */
export function chooseProxy(target: URL, env: Environment): URL | undefined {
  const setting = proxySettingFor(target, env);
  const proxy = setting && parseProxy(setting);
  return setting?.isExempt === true ? undefined : proxy;
}

/** Variables that may name a proxy. */
export const proxyVariables: readonly string[] = ["SRC_PROXY", ...variablesFor("https:"), ...variablesFor("http:")];

/** Passwords in proxy URLs as secrets for the redactor. Omits short ones and protocol words. */
export function secretsOfProxies(env: Environment): readonly Secret[] {
  return proxyVariables.flatMap((name) => {
    const value = addressOf(env[name] ?? "");
    const written = URL.canParse(value) ? new URL(value).password : "";
    const password = decoded(written) ?? written;
    return password.length < minSecretLength || isProtocolText(password)
      ? []
      : [{ name: `password in ${name}`, value: password }];
  });
}
