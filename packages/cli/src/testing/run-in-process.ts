import type { RunResult } from "@assay/results";
import { defaultQuery } from "@assay/runner";
import type { RunOptions } from "../run/run-options.ts";
import { judgeTarget, runAgainstTarget } from "../run/run-session.ts";
import { createServerEnvironment } from "../serve/server-environment.ts";
import { testContext } from "./test-context.ts";

type TestedRun = Partial<RunOptions> & Pick<RunOptions, "out">;

interface Ended {
  readonly exitCode: number;
  readonly result: RunResult;
}

/** Default options: the embedded server, and rules about streams. */
const optionsOf = (options: TestedRun): RunOptions => ({
  profile: "gate",
  query: defaultQuery,
  // Never reached: the timeout of the test ends a run that hangs.
  timeout: 600,
  parallel: 4,
  proof: true,
  seed: 1,
  interface: ["stream"],
  json: true,
  ...options,
});

/** One run in this process, with all its files. */
export async function runInProcess(options: TestedRun, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const context = testContext({ env });
  const exitCode = await runAgainstTarget(optionsOf(options), context);
  const result: RunResult = JSON.parse(context.written.out);
  return { exitCode, result };
}

/** The same without a report, for half of the time: only the evidence is written. */
export async function judgeInProcess(options: TestedRun, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { result } = await judgeTarget(optionsOf(options), testContext({ env }));
  return { exitCode: result.exitCode, result };
}

/** The same against a server, with every credential that it issues. */
export function judgeServer(
  server: Parameters<typeof createServerEnvironment>[0],
  options: Omit<TestedRun, "url" | "access">,
): Promise<Ended> {
  const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ...env } = createServerEnvironment(server);
  return judgeInProcess({ ...options, url, access }, env);
}

/** Ids of the rules that failed, warned, or noted a new value. */
export const speaking = ({ verdicts }: RunResult): readonly string[] =>
  verdicts
    .filter(({ verdict, notes }) => ["failed", "warned"].includes(verdict.outcome) || notes !== undefined)
    .map(({ rule }) => rule);
