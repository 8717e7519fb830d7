import { join, resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTargets } from "./load-targets.ts";

/** Settings of outputs of k6 that people give by variables: where figures go, never what is sent. */
const ofOutputs = /^(?:OTEL_|K6_OTEL_|K6_PROMETHEUS_RW_|K6_WEB_DASHBOARD_)/u;

const outputVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => ofOutputs.test(name)));

function dashboardVariables(dashboard: LoadOptions["dashboard"], cwd: string, folder: string): NodeJS.ProcessEnv {
  if (dashboard === undefined) {
    return {};
  }
  return {
    K6_WEB_DASHBOARD: "true",
    // No port is opened: the page is made of what was seen, at the end.
    K6_WEB_DASHBOARD_PORT: "-1",
    // A test that is shorter than a period has no page.
    K6_WEB_DASHBOARD_PERIOD: "1s",
    K6_WEB_DASHBOARD_EXPORT: dashboard === true ? join(folder, "dashboard.html") : resolve(cwd, dashboard),
  };
}

/** The run that variables are for. */
export interface K6Setting {
  readonly options: Pick<LoadOptions, "dashboard" | "k6Out">;
  readonly context: Pick<CommandContext, "env" | "cwd">;
  readonly targets: Pick<LoadTargets, "a" | "b" | "extraHeaders">;
  readonly folder: string;
  readonly scenarioSha256: string;
}

/** Variables for the script and for outputs of k6. Tokens go this way and no other. */
export function k6Variables({ options, context, targets, folder, scenarioSha256 }: K6Setting): NodeJS.ProcessEnv {
  const { a, b, extraHeaders } = targets;
  return {
    ...outputVariables(context.env),
    ...dashboardVariables(options.dashboard, context.cwd, folder),
    ASSAY_SCENARIO_SHA256: scenarioSha256,
    ...(a.token === undefined ? {} : { ASSAY_TOKEN: a.token }),
    ...(b?.token === undefined ? {} : { ASSAY_TOKEN_B: b.token }),
    ...(extraHeaders.length === 0 ? {} : { ASSAY_EXTRA_HEADERS: JSON.stringify(Object.fromEntries(extraHeaders)) }),
  };
}

/** Arguments for k6 besides those of every run. */
export const k6Arguments = ({ k6Out = [] }: Pick<LoadOptions, "k6Out">): readonly string[] =>
  k6Out.flatMap((output) => ["--out", output]);
