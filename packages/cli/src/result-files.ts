import { defined } from "@assay/contract";
import type { Bundle } from "@assay/evidence";
import {
  renderCtrf,
  renderJunit,
  renderReportHtml,
  renderSummaryMarkdown,
  renderVerdictsJson,
  type ReportedRun,
} from "@assay/report";
import { type RunChange, type RunResult, type RunTimelines, stringifyTimelines } from "@assay/results";
import { createTimelines } from "@assay/runner";
import { type RenderedFile, type UnrenderedFile, writeRendered } from "./rendered-files.ts";

/** A judged run with all data of its page. */
export interface JudgedRun {
  readonly result: RunResult;
  /** The evidence, for the figures. */
  readonly bundle: Bundle;
  readonly change?: RunChange;
}

/** Creates the figures of a run on the first call. Every call throws if that fails. */
export function lazyFigures({ bundle, result }: JudgedRun): () => RunTimelines {
  let timelines: RunTimelines | undefined;
  return () => (timelines ??= createTimelines(bundle, result));
}

const orUndefined = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    // Writing `timelines.json` reports the error. A page without figures is better than none.
    return undefined;
  }
};

/** Adds figures to a run, if they can be created. */
export function reportedRun(run: JudgedRun, figures = lazyFigures(run)): ReportedRun {
  const timelines = orUndefined(figures);
  return {
    result: run.result,
    ...defined({ timelines, change: run.change }),
  };
}

/** The files of a run. All others are derived from the first. */
function listFiles(run: JudgedRun, figures: () => RunTimelines): readonly RenderedFile[] {
  const { result } = run;
  const reported = (): ReportedRun => reportedRun(run, figures);
  return [
    { name: "verdicts.json", render: () => renderVerdictsJson(result) },
    { name: "timelines.json", render: () => stringifyTimelines(figures()) },
    { name: "junit.xml", render: () => renderJunit(result) },
    { name: "ctrf.json", render: () => renderCtrf(result) },
    {
      name: "summary.md",
      render: () => {
        const { result: _result, ...more } = reported();
        return renderSummaryMarkdown(result, more);
      },
    },
    { name: "report.html", render: () => renderReportHtml({ runs: [reported()], loads: [], comparisons: [] }) },
  ];
}

/**
 * Writes `verdicts.json`, `timelines.json`, `junit.xml`, `ctrf.json`, `summary.md` and `report.html`, each completely or not at all.
 * Returns the files that could not be rendered. Rejects with a disk error code.
 */
export const writeResultFiles = (
  folder: string,
  run: JudgedRun,
  figures = lazyFigures(run),
): Promise<readonly UnrenderedFile[]> => writeRendered(folder, listFiles(run, figures));
