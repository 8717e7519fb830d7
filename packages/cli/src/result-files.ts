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
import { createTimelines, type StreamArrivals } from "@assay/runner";
import { type RenderedFile, type UnrenderedFile, writeRendered } from "./rendered-files.ts";

/** A judged run with all data of its page. */
export interface JudgedRun {
  readonly result: RunResult;
  /** The evidence, for the figures. */
  readonly bundle: Bundle;
  /** Arrivals of long streams, from judging. Default: the streams are read again. */
  readonly arrivals?: StreamArrivals;
  readonly change?: RunChange;
}

/** Returns a function that creates the figures of a run on its first call. Every call throws if that fails. */
export function createLazyFigures({ bundle, result, arrivals }: JudgedRun): () => RunTimelines {
  let timelines: RunTimelines | undefined;
  return () => (timelines ??= createTimelines(bundle, result, arrivals));
}

const tryOrUndefined = <T>(create: () => T): T | undefined => {
  try {
    return create();
  } catch {
    // Writing `timelines.json` reports the error. A page without figures is better than none.
    return undefined;
  }
};

/** Adds figures to a run, if they can be created. */
export function toReportedRun(run: JudgedRun, figures = createLazyFigures(run)): ReportedRun {
  const timelines = tryOrUndefined(figures);
  return {
    result: run.result,
    ...defined({ timelines, change: run.change }),
  };
}

/** Lists the files of a run. All others are derived from the first. */
function listFiles(run: JudgedRun, figures: () => RunTimelines): readonly RenderedFile[] {
  const { result } = run;
  const getReportedRun = (): ReportedRun => toReportedRun(run, figures);
  return [
    { name: "verdicts.json", render: () => renderVerdictsJson(result) },
    { name: "timelines.json", render: () => stringifyTimelines(figures()) },
    { name: "junit.xml", render: () => renderJunit(result) },
    { name: "ctrf.json", render: () => renderCtrf(result) },
    {
      name: "summary.md",
      render: () => {
        const { result: _result, ...additions } = getReportedRun();
        return renderSummaryMarkdown(result, additions);
      },
    },
    { name: "report.html", render: () => renderReportHtml({ runs: [getReportedRun()], loads: [], comparisons: [] }) },
  ];
}

/**
 * Writes `verdicts.json`, `timelines.json`, `junit.xml`, `ctrf.json`, `summary.md` and `report.html`, each completely or not at all.
 * Returns the files that could not be rendered. Rejects with a disk error code.
 */
export const writeResultFiles = (
  folder: string,
  run: JudgedRun,
  figures = createLazyFigures(run),
): Promise<readonly UnrenderedFile[]> => writeRendered(folder, listFiles(run, figures));
