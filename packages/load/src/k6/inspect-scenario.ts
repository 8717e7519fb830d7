import { HarnessError } from "@assay/contract";
import { type JsonMembers, parseMembers } from "../samples/json-members.ts";
import { k6Environment } from "./k6-environment.ts";
import { firstErrorOf, oneLine } from "./k6-log-message.ts";
import { runBounded } from "./run-bounded.ts";

export interface InspectOptions {
  readonly k6: { readonly path: string };
  /** Path of the script. */
  readonly script: string;
  /** Environment of the script, such as `ASSAY_PLAN`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 60 s by default. */
  readonly timeoutMs?: number;
  readonly redact?: (text: string) => string;
}

const defaultTimeoutMs = 60_000;

/**
 * Lets k6 load a script without running it, and returns the script's options. Fails with a `HarnessError`: `bad-script`
 * with k6's first message; `script-hangs` if k6 is not done after `timeoutMs` (some syntax makes it spin for ever), in
 * which case its process group is killed; `broken-k6` if it cannot be started.
 */
export const inspectScenario = async (options: InspectOptions): Promise<JsonMembers> => {
  const { k6, script, env, timeoutMs = defaultTimeoutMs, redact = (text) => text } = options;
  const args = ["inspect", "--include-system-env-vars", script];
  const end = await runBounded({ path: k6.path, args, env: k6Environment(env), timeoutMs });
  if (end.ended === "not-started") {
    throw new HarnessError("broken-k6", `${k6.path} cannot be started (${end.reason})`);
  }
  if (end.ended === "timeout") {
    throw new HarnessError(
      "script-hangs",
      `k6 did not finish loading ${script} within ${timeoutMs / 1000} s and was killed; it spins for ever on decorators, \`using\`, async generators and import attributes in TypeScript`,
    );
  }
  const found = end.exitCode === 0 ? parseMembers(end.stdout) : undefined;
  if (found === undefined) {
    const message = redact(firstErrorOf(end.stderr) ?? oneLine(end.stderr));
    throw new HarnessError("bad-script", `k6 cannot load ${script}: ${message === "" ? "it gave no reason" : message}`);
  }
  return found;
};
