import { chooseProxy, proxyVariables } from "@assay/client";
import type { LoadTarget, LoadTargets } from "./load-targets.ts";

/** The targets of a run, and the variables that set proxies. */
export interface K6Route {
  readonly targets: Pick<LoadTargets, "base" | "head">;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the proxy of a target. An embedded server has none. */
const chooseTargetProxy = ({ url, embedded }: LoadTarget, env: NodeJS.ProcessEnv): URL | undefined =>
  embedded ? undefined : chooseProxy(new URL(url), env);

/**
 * Creates the variable with the proxy of each origin for `k6/x/assay`, so that k6 reaches each target in the same way as all other
 * requests of the run. Returns no variable if the environment sets no proxy. Throws `bad-proxy`.
 */
export function createK6ProxyVariables({ targets, env }: K6Route): NodeJS.ProcessEnv {
  if (proxyVariables.every((name) => (env[name] ?? "") === "")) {
    return {};
  }
  const loadTargets = [targets.base, ...(targets.head === undefined ? [] : [targets.head])];
  const proxies = loadTargets.map(
    (target) => [new URL(target.url).origin, chooseTargetProxy(target, env)?.href ?? ""] as const,
  );
  return { ASSAY_PROXIES: JSON.stringify(Object.fromEntries(proxies)) };
}
