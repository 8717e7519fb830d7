import { HarnessError } from "@assay/contract";
import type { Secret } from "@assay/evidence";
import { minSecretLength } from "@assay/evidence";
import { type Environment, firstSet } from "./environment.ts";
import { isProtocolText } from "./protocol-words.ts";

/** How a target is reached. */
export interface ProxyChoice {
  /** Address of the proxy; undefined for none. It may hold a password: never show it. */
  readonly proxy: URL | undefined;
  /** Hosts reached directly, as `NO_PROXY` has them. */
  readonly noProxy: string;
}

const direct: ProxyChoice = { proxy: undefined, noProxy: "" };

/** Whether a host name of an address means this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(?:\.\d+){3}$/.test(hostname);

function refuse(name: string, why: string): never {
  throw new HarnessError("bad-proxy", `${name} ${why}; write it like http://proxy.example.com:3128`);
}

const addressOf = (value: string): string => (value.includes("://") ? value : `http://${value}`);

/** A part of an address in the characters that it stands for; undefined where it stands for none. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // Whoever needs it says so.
    return undefined;
  }
}

/** The value is not quoted in messages: it may hold a password. */
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

/**
 * The proxy for an address: `SRC_PROXY` for everything, else `HTTPS_PROXY` or `HTTP_PROXY` by the scheme of the target,
 * but for hosts in `NO_PROXY` and for loopback addresses; lower-case names win. Fails with `bad-proxy` for anything but
 * an http or https proxy.
 */
export function chooseProxy(target: URL, env: Environment): ProxyChoice {
  const forAll = firstSet(env, ["SRC_PROXY"]);
  if (forAll !== undefined) {
    return { proxy: parseProxy(forAll), noProxy: "" };
  }
  const found = firstSet(env, variablesFor(target.protocol));
  return found === undefined || isLoopback(target.hostname)
    ? direct
    : { proxy: parseProxy(found), noProxy: firstSet(env, ["no_proxy", "NO_PROXY"])?.value ?? "" };
}

/** Variables that may name a proxy. */
export const proxyVariables: readonly string[] = ["SRC_PROXY", ...variablesFor("https:"), ...variablesFor("http:")];

/** Passwords in the addresses of proxies as secrets for the redactor, where they are long enough for it and no words of the protocol. */
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
