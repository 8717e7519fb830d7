import { join, relative } from "node:path";
import { stringifyLoadResult } from "@assay/load";
import {
  loadEvents,
  createLoadMetrics,
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
import { renderForReporter, type ReporterOptions } from "../reporter.ts";
import { type EndingRun, endRun } from "../run/end-run.ts";
import type { LoadOptions } from "./load-options.ts";

/** A load run with its result. */
export interface FinishedLoad extends Pick<EndingRun, "folder" | "secrets" | "log"> {
  readonly options: ReporterOptions & Pick<LoadOptions, "log">;
  readonly context: CommandContext;
  readonly result: LoadResult;
  /** When the load ended. Undefined for a merge, which sends no telemetry. */
  readonly endedAtMs?: number;
}

function buildTelemetry({ result, endedAtMs }: FinishedLoad): Pick<EndingRun, "telemetry"> {
  if (endedAtMs === undefined) {
    return {};
  }
  const span = { startedAtMs: Date.parse(result.run.startedAt), endedAtMs };
  return { telemetry: { runId: result.run.id, metrics: () => createLoadMetrics(result, span) } };
}

const toReportInput = (result: LoadResult): ReportInput => ({ runs: [], loads: [result], comparisons: [] });

/** Lists the files of a load run. All others can be generated from the first one. */
const listFiles = (result: LoadResult): readonly RenderedFile[] => [
  { name: "load.json", render: () => stringifyLoadResult(result) },
  { name: "junit.xml", render: () => renderLoadJunit(result) },
  { name: "ctrf.json", render: () => renderLoadCtrf(result) },
  { name: "summary.md", render: () => renderLoadMarkdown(result) },
  { name: "report.html", render: () => renderReportHtml(toReportInput(result)) },
];

function renderResult({ options, context, folder, result }: FinishedLoad, hasPage: boolean): string {
  if (options.log === "-") {
    return "";
  }
  const { colour, width } = context.terminal;
  const displayPath = (path: string): string => relative(context.cwd, path) || ".";
  return renderForReporter(options, {
    json: () => renderLoadJson(result),
    quiet: () => renderLoadLine(result),
    text: (verbose) =>
      renderLoad(result, {
        colour,
        width,
        verbose,
        folder: displayPath(folder),
        ...(hasPage ? { report: displayPath(join(folder, "report.html")) } : {}),
      }),
  });
}

/**
 * Writes and prints the result of a load run, after searching all its files for secrets. Returns the exit code. If the
 * result cannot be written, prints it before throwing.
 */
export async function finishLoad(load: FinishedLoad): Promise<number> {
  const { context, folder, result, log } = load;
  for (const event of loadEvents(result)) {
    log.add(event);
  }
  const unrendered = await writeRendered(folder, listFiles(result)).catch((error: unknown) => {
    context.out(renderResult(load, false));
    throw error;
  });
  const hasPage = unrendered.every(({ name }) => name !== "report.html");
  return endRun({
    ...load,
    unrendered,
    renderOutput: () => renderResult(load, hasPage),
    reportInput: () => toReportInput(result),
    ...buildTelemetry(load),
  });
}
