import { compareStored } from "@assay/load";
import type { ReportInput } from "@assay/report";
import { changeBetween } from "@assay/results";
import type { Comparison, LoadResult, RunResult } from "@assay/results";
import type { StoredRun } from "./stored-run.ts";

/** Two load runs that a page may compare: of one scenario, and neither a comparison of its own. */
function comparisonsOf(loads: readonly LoadResult[]): readonly Comparison[] {
  const [base, head, ...others] = loads;
  const isPair = base !== undefined && head !== undefined && others.length === 0;
  if (!isPair || base.plan.scenario !== head.plan.scenario || loads.some(({ run }) => run.against !== undefined)) {
    return [];
  }
  return [compareStored([base], [head], { base: base.run.id, head: head.run.id })];
}

/** What a page shows of stored runs: each compared with the baseline, but the baseline itself; two load runs with one another. */
export function reportInputOf(
  stored: readonly StoredRun[],
  { baseline, title }: { readonly baseline: RunResult | undefined; readonly title?: string },
): ReportInput {
  const loads = stored.flatMap((one) => (one.kind === "load" ? [one.load] : []));
  const runs = stored.flatMap((one) => (one.kind === "run" ? [one.run] : []));
  return {
    ...(title === undefined ? {} : { title }),
    runs: runs.map((run) =>
      baseline === undefined || baseline.run.id === run.result.run.id
        ? run
        : { ...run, change: changeBetween(baseline, run.result) },
    ),
    loads,
    comparisons: comparisonsOf(loads),
  };
}
