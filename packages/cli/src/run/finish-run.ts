import { join, relative } from "node:path";
import { renderTerminal, renderVerdictsJson, verdictEvents } from "@assay/report";
import type { RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { type EndingRun, endRun } from "./end-run.ts";
import { type JudgedRun, reportedRun, writeResultFiles } from "../result-files.ts";
import type { RunOptions } from "./run-options.ts";

interface FinishedRun extends JudgedRun, Pick<EndingRun, "folder" | "secrets" | "log"> {
  readonly options: RunOptions;
  readonly context: CommandContext;
}

/**
 * Writes and shows the results, then looks for secrets in every file of the run; returns the exit code. Results that cannot
 * be written are shown all the same, before it fails with a code of the disk.
 */
export async function finishRun(finished: FinishedRun): Promise<number> {
  const { context, folder, result, log } = finished;
  for (const event of verdictEvents(result)) {
    log.tell(event);
  }
  const unrendered = await writeResultFiles(folder, finished).catch((error: unknown) => {
    context.out(shownResult(finished, false));
    throw error;
  });
  const hasPage = unrendered.every(({ name }) => name !== "report.html");
  return endRun({
    ...finished,
    unrendered,
    shown: () => shownResult(finished, hasPage),
    story: () => ({ runs: [reportedRun(finished)], loads: [], comparisons: [] }),
  });
}

const pathFrom = ({ cwd }: CommandContext, path: string): string => relative(cwd, path) || ".";

function shownResult({ options, context, folder, result, change }: FinishedRun, hasPage: boolean): string {
  if (options.log === "-") {
    return "";
  }
  if (options.json === true) {
    return renderVerdictsJson(result);
  }
  return options.quiet === true
    ? `${quietLines(result, change).join("\n")}\n`
    : renderTerminal(result, {
        ...context.terminal,
        verbose: options.verbose ?? false,
        folder: pathFrom(context, folder),
        ...(hasPage ? { report: pathFrom(context, join(folder, "report.html")) } : {}),
        ...(change === undefined ? {} : { change }),
      });
}

const quietLines = ({ summary }: RunResult, change: JudgedRun["change"]): readonly string[] => [
  summary,
  ...(change === undefined ? [] : [change.sentence]),
];
