import type { Environment } from "./environment.ts";
import { isLoopback } from "../proxy/proxy.ts";

/** The variables for a target, and the names of the withheld ones. */
export interface EnvironmentForTarget {
  readonly env: Environment;
  readonly withheldNames: readonly string[];
}

/** Reports whether two URLs may share credentials: they have the same origin, or both are on this machine. */
export const mayShareCredentials = (first: string, second: string): boolean => {
  const [a, b] = [new URL(first), new URL(second)];
  return a.origin === b.origin || (isLoopback(a.hostname) && isLoopback(b.hostname));
};

/** Reports whether a variable belongs to the instance in `SRC_ENDPOINT`. */
const belongsToEndpoint = (name: string): boolean =>
  name === "SRC_ACCESS_TOKEN" || name === "SRC_HEADERS" || name.startsWith("SRC_HEADER_");

/** Reports whether an endpoint is the instance of a URL. An endpoint without a scheme is not. */
const isEndpointOf = (endpoint: string, url: string): boolean =>
  URL.canParse(endpoint) && mayShareCredentials(endpoint, url);

/**
 * Returns the environment without credentials of a different instance. If `SRC_ENDPOINT` has a different origin or is not a URL,
 * `SRC_ACCESS_TOKEN`, `SRC_HEADERS` and `SRC_HEADER_*` are withheld. Without `SRC_ENDPOINT` they apply to every target.
 */
export function selectEnvironment(url: string, env: Environment): EnvironmentForTarget {
  const endpoint = env["SRC_ENDPOINT"]?.trim() ?? "";
  if (endpoint === "" || !URL.canParse(url) || isEndpointOf(endpoint, url)) {
    return { env, withheldNames: [] };
  }
  const withheldNames = Object.keys(env).filter((name) => belongsToEndpoint(name) && (env[name] ?? "") !== "");
  const remainingVariables = Object.entries(env).filter(([name]) => !belongsToEndpoint(name));
  return { env: Object.fromEntries(remainingVariables), withheldNames: withheldNames.toSorted() };
}
