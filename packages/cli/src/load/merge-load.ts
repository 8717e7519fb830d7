import { resolve } from "node:path";
import { mergeLoadRuns, parseThreshold } from "@assay/load";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { loadRunFolders, partFiles } from "../compare/stored-runs.ts";
import { noLog } from "../run/run-log.ts";
import { newRunId } from "../run/run-id.ts";
import { tool } from "../version.ts";
import { finishLoad } from "./finish-load.ts";
import { makeRunFolder } from "./load-folder.ts";

/** Options of `assay load merge`, as commander hands them over. */
export interface MergeOptions {
  readonly out?: string;
  readonly verbose?: true;
  readonly json?: true;
  readonly quiet?: true;
  readonly threshold?: readonly string[];
}

/** Adds the runs of several processes into one result, which is stored and shown; returns the exit code. */
export async function mergeLoad(
  runs: readonly string[],
  options: MergeOptions,
  context: CommandContext,
): Promise<number> {
  const folders = runs.flatMap((run) => loadRunFolders(run, { cwd: context.cwd, files: partFiles }));
  if (folders.length < 2) {
    throw new UsageError("a single run is merged with nothing; name the folders of at least two");
  }
  const id = newRunId(new Date());
  const thresholds = options.threshold?.map((text) => parseThreshold(text));
  const given = thresholds === undefined ? {} : { thresholds };
  const result = await mergeLoadRuns(folders, { id, toolVersion: tool.version, ...given });
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${id}`);
  await makeRunFolder(folder);
  return finishLoad({ options, context, folder, secrets: [], log: noLog, result });
}
