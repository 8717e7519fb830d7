import { chooseProxy, isLoopback, noProxyVariables, proxyVariables } from "@assay/client";
import { HarnessError } from "@assay/contract";
import type { LoadTarget, LoadTargets } from "./load-targets.ts";

/** What the proxies of k6 follow from. */
export interface K6Route {
  readonly targets: Pick<LoadTargets, "a" | "b">;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the script has the extension, which chooses the proxy of each target itself. */
  readonly hasModule: boolean;
}

/** A server that was started for the run is reached without a proxy, by k6 as by all other requests. */
const proxyOf = ({ url, embedded }: LoadTarget, env: NodeJS.ProcessEnv): URL | undefined =>
  embedded ? undefined : chooseProxy(new URL(url), env);

const listed = (env: NodeJS.ProcessEnv): string =>
  noProxyVariables.map((name) => env[name] ?? "").find((list) => list !== "") ?? "";

/** As Go reads an entry of `NO_PROXY`. */
const entryFor = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;

/** Go never uses a proxy for these, whatever the variables say. */
const refuseLoopback = ({ url }: LoadTarget): never => {
  throw new HarnessError(
    "usage",
    `SRC_PROXY sends requests to ${new URL(url).host} through a proxy, and a script without the extension of this project never uses one for this machine; unset SRC_PROXY, or take a scenario with the extension`,
  );
};

const inBothCases = (name: string, value: string): NodeJS.ProcessEnv => ({
  [name.toLowerCase()]: value,
  [name]: value,
});

/**
 * Variables for a k6 that chooses by them, in both cases, since Go prefers the upper one and this project the lower one: the same
 * proxies, and every target that is reached directly in `NO_PROXY`.
 */
function stockVariables(targets: readonly LoadTarget[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isForAll = (env["SRC_PROXY"] ?? "") !== "";
  const direct = targets
    .filter((target) => proxyOf(target, env) === undefined)
    .map(({ url }) => entryFor(new URL(url)));
  const proxies = targets.map((target): NodeJS.ProcessEnv => {
    const [proxy, address] = [proxyOf(target, env), new URL(target.url)];
    if (proxy === undefined) {
      return {};
    }
    if (isForAll && isLoopback(address.hostname)) {
      refuseLoopback(target);
    }
    return inBothCases(address.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY", proxy.href);
  });
  const kept = isForAll ? [] : [listed(env)];
  return Object.assign(
    {},
    ...proxies,
    inBothCases("NO_PROXY", [...kept, ...direct].filter((each) => each !== "").join(",")),
  );
}

/**
 * Variables by which k6 reaches each target as all other requests of the run do: by the same proxy, or by none. The extension is given
 * the proxy of each origin; a script without it goes by the usual variables. Fails with `bad-proxy`, and with `usage` where that cannot be done.
 */
export function k6ProxyVariables({ targets, env, hasModule }: K6Route): NodeJS.ProcessEnv {
  if (proxyVariables.every((name) => (env[name] ?? "") === "")) {
    return {};
  }
  const all = [targets.a, ...(targets.b === undefined ? [] : [targets.b])];
  const origins = all.map((target) => [new URL(target.url).origin, proxyOf(target, env)?.href ?? ""] as const);
  return hasModule ? { ASSAY_PROXIES: JSON.stringify(Object.fromEntries(origins)) } : stockVariables(all, env);
}
