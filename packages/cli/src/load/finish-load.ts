import { join, relative } from "node:path";
import { stringifyLoadResult } from "@assay/load";
import {
  loadEvents,
  metricsOfLoad,
  renderLoad,
  renderLoadCtrf,
  renderLoadJson,
  renderLoadJunit,
  renderLoadLine,
  renderLoadMarkdown,
  renderReportHtml,
} from "@assay/report";
import type { ReportInput } from "@assay/report";
import type { LoadResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { type RenderedFile, writeRendered } from "../rendered-files.ts";
import { printedBy, type ReporterOptions } from "../reporter.ts";
import { type EndingRun, endRun } from "../run/end-run.ts";
import type { LoadOptions } from "./load-options.ts";

/** A load run whose result is known. */
export interface FinishedLoad extends Pick<EndingRun, "folder" | "secrets" | "log"> {
  readonly options: ReporterOptions & Pick<LoadOptions, "log">;
  readonly context: CommandContext;
  readonly result: LoadResult;
  /** When the load ended; of a merge of earlier runs nothing is told to a collector. */
  readonly endedAtMs?: number;
}

function telemetryOf({ result, endedAtMs }: FinishedLoad): Pick<EndingRun, "telemetry"> {
  if (endedAtMs === undefined) {
    return {};
  }
  const span = { startedAtMs: Date.parse(result.run.startedAt), endedAtMs };
  return { telemetry: { runId: result.run.id, metrics: () => metricsOfLoad(result, span) } };
}

const storyOf = (result: LoadResult): ReportInput => ({ runs: [], loads: [result], comparisons: [] });

/** The files of a load run, the one that everything else can be made of first. */
const filesOf = (result: LoadResult): readonly RenderedFile[] => [
  { name: "load.json", render: () => stringifyLoadResult(result) },
  { name: "junit.xml", render: () => renderLoadJunit(result) },
  { name: "ctrf.json", render: () => renderLoadCtrf(result) },
  { name: "summary.md", render: () => renderLoadMarkdown(result) },
  { name: "report.html", render: () => renderReportHtml(storyOf(result)) },
];

function shownResult({ options, context, folder, result }: FinishedLoad, hasPage: boolean): string {
  if (options.log === "-") {
    return "";
  }
  const { colour, width } = context.terminal;
  const shown = (path: string): string => relative(context.cwd, path) || ".";
  return printedBy(options, {
    json: () => renderLoadJson(result),
    quiet: () => renderLoadLine(result),
    people: (verbose) =>
      renderLoad(result, {
        colour,
        width,
        verbose,
        folder: shown(folder),
        ...(hasPage ? { report: shown(join(folder, "report.html")) } : {}),
      }),
  });
}

/**
 * Writes and shows the result of a load run, after a look for secrets in every file of it; returns the exit code. A result that
 * cannot be written is shown all the same, before it fails with a code of the disk.
 */
export async function finishLoad(finished: FinishedLoad): Promise<number> {
  const { context, folder, result, log } = finished;
  for (const event of loadEvents(result)) {
    log.tell(event);
  }
  const unrendered = await writeRendered(folder, filesOf(result)).catch((error: unknown) => {
    context.out(shownResult(finished, false));
    throw error;
  });
  const hasPage = unrendered.every(({ name }) => name !== "report.html");
  return endRun({
    ...finished,
    unrendered,
    shown: () => shownResult(finished, hasPage),
    story: () => storyOf(result),
    ...telemetryOf(finished),
  });
}
