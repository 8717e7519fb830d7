import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { scanForSecrets } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { renderTerminal, renderVerdictsJson } from "@assay/report";
import type { RunResult } from "@assay/results";
import { exitCodeOf } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { writeResultFiles } from "../result-files.ts";
import type { RunOptions } from "./run-options.ts";

interface FinishedRun {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  readonly result: RunResult;
}

/**
 * Writes and shows the results, then looks for secrets in every file of the run; returns the exit code. Results that cannot
 * be written are shown all the same, before it fails with a code of the disk.
 */
export async function finishRun(finished: FinishedRun): Promise<number> {
  const { context, folder, secrets, result } = finished;
  await writeResultFiles(folder, result).catch((error: unknown) => {
    context.out(shownResult(finished));
    throw error;
  });
  return showUnlessLeaked({ context, folder, secrets, exitCode: result.exitCode }, () => shownResult(finished));
}

/** What is looked through before anything is shown of it. */
interface Looked extends Pick<FinishedRun, "context" | "folder" | "secrets"> {
  readonly exitCode: number;
}

/** Looks for secrets in every file of a run; shows its result and returns its exit code when there is none. */
export async function showUnlessLeaked(
  { context, folder, secrets, exitCode }: Looked,
  shown: () => string,
): Promise<number> {
  const leaked = await removeLeaks(folder, secrets);
  if (leaked.length > 0) {
    context.err(
      `assay: this is a bug in assay: a secret was found in ${leaked.join(", ")}, which was removed; please report it\n`,
    );
    return exitCodeOf("harness-error");
  }
  context.out(shown());
  return exitCode;
}

function shownResult({ options, context, folder, result }: FinishedRun): string {
  if (options.json === true) {
    return renderVerdictsJson(result);
  }
  const { colour, width } = context.terminal;
  const verbose = options.verbose ?? false;
  return options.quiet === true
    ? `${result.summary}\n`
    : renderTerminal(result, { colour, width, verbose, folder: relative(context.cwd, folder) || "." });
}

async function removeLeaks(folder: string, secrets: readonly Secret[]): Promise<readonly string[]> {
  const hits = await scanForSecrets(folder, secrets);
  const files = [...new Set(hits.map(({ file }) => file))];
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
  return files;
}
