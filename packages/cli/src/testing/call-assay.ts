import { Readable } from "node:stream";
import { vi } from "vitest";
import { runCommandLine } from "../run-command-line.ts";
import type { Ended, ProcessOptions } from "./assay-process.ts";
import { testContext } from "./test-context.ts";

/**
 * The command in this process: quicker than a process of its own, the same but for signals and deadlines. Not to be called
 * twice at once with variables, which are those of this process as long as it runs.
 */
export async function callAssay(
  args: readonly string[],
  { cwd, env = {}, input }: Omit<ProcessOptions, "deadlineMs">,
): Promise<Pick<Ended, "code" | "out" | "err">> {
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
  const context = testContext({ cwd, env, stdin });
  for (const [name, value] of Object.entries(env)) {
    vi.stubEnv(name, value);
  }
  try {
    const code = await runCommandLine(context, args);
    return { code, ...context.written };
  } finally {
    vi.unstubAllEnvs();
  }
}
