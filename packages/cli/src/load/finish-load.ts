import { join, relative } from "node:path";
import { makeFolder, toEvidenceError, writeWhole } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { writeLoadResult } from "@assay/load";
import { renderLoad, renderLoadJson, renderLoadJunit, renderLoadMarkdown } from "@assay/report";
import type { LoadResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { showUnlessLeaked } from "../run/finish-run.ts";
import type { LoadOptions } from "./load-options.ts";

/** A load run whose result is known. */
export interface FinishedLoad {
  readonly options: Pick<LoadOptions, "json" | "quiet" | "verbose">;
  readonly context: CommandContext;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  readonly result: LoadResult;
}

async function writeFiles({ folder, result }: FinishedLoad): Promise<void> {
  // Rendered before anything is written: a bug in there is not a failure of the disk.
  const files = { "junit.xml": renderLoadJunit(result), "summary.md": renderLoadMarkdown(result) };
  try {
    await makeFolder(folder);
    await writeLoadResult(folder, result);
    for (const [name, text] of Object.entries(files)) {
      await writeWhole(join(folder, name), text);
    }
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
}

function shownResult({ options, context, folder, result }: FinishedLoad): string {
  if (options.json === true) {
    return renderLoadJson(result);
  }
  const { colour, width } = context.terminal;
  const shownFolder = relative(context.cwd, folder) || ".";
  return options.quiet === true
    ? `${result.summary}\n`
    : renderLoad(result, { colour, width, verbose: options.verbose ?? false, folder: shownFolder });
}

/**
 * Writes and shows the result of a load run, after a look for secrets in every file of it; returns the exit code. A result that
 * cannot be written is shown all the same, before it fails with a code of the disk.
 */
export async function finishLoad(finished: FinishedLoad): Promise<number> {
  const { context, folder, secrets, result } = finished;
  await writeFiles(finished).catch((error: unknown) => {
    context.out(shownResult(finished));
    throw error;
  });
  return showUnlessLeaked({ context, folder, secrets, exitCode: result.exitCode }, () => shownResult(finished));
}
