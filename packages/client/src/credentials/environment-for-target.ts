import type { Environment } from "./environment.ts";
import { isLoopback } from "../proxy/proxy.ts";

/** The variables that are meant for a target, and the names of those that are not. */
export interface EnvironmentForTarget {
  readonly env: Environment;
  readonly withheld: readonly string[];
}

/** Whether what one address is told may be told to the other one: both have one origin, or both are on this machine. */
export const isSameTrust = (one: string, other: string): boolean => {
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin || (isLoopback(a.hostname) && isLoopback(b.hostname));
};

/** Variables that belong to the instance that `SRC_ENDPOINT` names. */
const belongsToEndpoint = (name: string): boolean =>
  name === "SRC_ACCESS_TOKEN" || name === "SRC_HEADERS" || name.startsWith("SRC_HEADER_");

/** Whether an endpoint is the instance at an address; one that was written without `https://` is some other one. */
const isEndpoint = (endpoint: string, url: string): boolean => URL.canParse(endpoint) && isSameTrust(endpoint, url);

/**
 * The environment without what is meant for another instance: where `SRC_ENDPOINT` names one of another origin, or what is no
 * address, neither `SRC_ACCESS_TOKEN` nor `SRC_HEADERS` and `SRC_HEADER_*` are for this one. Without it they are for whatever
 * is named.
 */
export function environmentFor(url: string, env: Environment): EnvironmentForTarget {
  const endpoint = env["SRC_ENDPOINT"]?.trim() ?? "";
  if (endpoint === "" || !URL.canParse(url) || isEndpoint(endpoint, url)) {
    return { env, withheld: [] };
  }
  const withheld = Object.keys(env).filter((name) => belongsToEndpoint(name) && (env[name] ?? "") !== "");
  const kept = Object.entries(env).filter(([name]) => !belongsToEndpoint(name));
  return { env: Object.fromEntries(kept), withheld: withheld.toSorted() };
}
