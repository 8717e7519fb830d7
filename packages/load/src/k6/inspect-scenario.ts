import { HarnessError } from "@assay/contract";
import { type JsonMembers, parseMembers } from "../samples/json-members.ts";
import { createK6Environment } from "./k6-environment.ts";
import { findFirstError, shortenToLine } from "./k6-log-message.ts";
import { runBounded } from "./run-bounded.ts";

export interface InspectOptions {
  readonly k6: { readonly path: string };
  /** The path of the script. */
  readonly script: string;
  /** The environment variables of the script, such as `ASSAY_PLAN`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 60 s by default. */
  readonly timeoutMs?: number;
  readonly redact?: (text: string) => string;
}

const defaultTimeoutMs = 60_000;

/**
 * Loads a script in k6 without running it, and returns the script's options. Fails with a `HarnessError`:
 *
 * - `bad-script` with k6's first error message
 * - `script-hangs` if k6 has not exited after `timeoutMs`, because some syntax makes it loop forever; its process group
 *   is then killed
 * - `broken-k6` if it cannot be started
 */
export const inspectScenario = async (options: InspectOptions): Promise<JsonMembers> => {
  const { k6, script, env, timeoutMs = defaultTimeoutMs, redact = (text) => text } = options;
  const args = ["inspect", "--include-system-env-vars", script];
  const end = await runBounded({ path: k6.path, args, env: createK6Environment(env), timeoutMs });
  if (end.kind === "not-started") {
    throw new HarnessError("broken-k6", `${k6.path} cannot be started (${end.reason})`);
  }
  if (end.kind === "timeout") {
    throw new HarnessError(
      "script-hangs",
      `k6 did not finish loading ${script} within ${timeoutMs / 1000} s and was killed; it loops forever on decorators, \`using\`, async generators and import attributes in TypeScript`,
    );
  }
  const scenarioOptions = end.exitCode === 0 ? parseMembers(end.stdout) : undefined;
  if (scenarioOptions === undefined) {
    const message = redact(findFirstError(end.stderr) ?? shortenToLine(end.stderr));
    throw new HarnessError(
      "bad-script",
      `k6 cannot load ${script}: ${message === "" ? "no reason was reported" : message}`,
    );
  }
  return scenarioOptions;
};
