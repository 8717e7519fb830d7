import type { RunResult } from "@assay/results";
import { defaultQuery } from "@assay/runner";
import type { RunOptions } from "../run/run-options.ts";
import { runAgainstTarget } from "../run/run-session.ts";
import { testContext } from "./test-context.ts";

/** One run in this process, with the embedded server unless an address is given; about streams unless told otherwise. */
export async function runInProcess(
  options: Partial<RunOptions> & Pick<RunOptions, "out">,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly exitCode: number; readonly result: RunResult }> {
  const context = testContext({ env });
  const all: RunOptions = {
    profile: "gate",
    query: defaultQuery,
    timeout: 60,
    parallel: 4,
    seed: 1,
    interface: ["stream"],
    json: true,
    ...options,
  };
  const exitCode = await runAgainstTarget(all, context);
  const result: RunResult = JSON.parse(context.written.out);
  return { exitCode, result };
}

/** Ids of the rules that said something against the target: failed, warned, or noted a new value. */
export const speaking = ({ verdicts }: RunResult): readonly string[] =>
  verdicts
    .filter(({ verdict, notes }) => ["failed", "warned"].includes(verdict.outcome) || notes !== undefined)
    .map(({ rule }) => rule);
