import { type RuleVerdict, type RunTimelines } from "@assay/results";
import { pageCaps, shareOf } from "./page-caps.ts";
import type { ReportedRun } from "./report-input.ts";

/** One run on its page, with the part that is its own in the ids of everything about it. */
export interface PageRun extends ReportedRun {
  /** `r1`, `r2`, ... in the order of the input; ids and links of the page are made of nothing else. */
  readonly key: string;
  /** How many runs the page shows; they share its caps. */
  readonly runs: number;
  /** Index of each exchange of the run by its id. */
  readonly exchangeIndex: ReadonlyMap<string, number>;
  /** What is recorded in detail, by the id of the exchange. */
  readonly details: ReadonlyMap<string, RunTimelines["exchanges"][number]>;
}

/** The runs of a page with the keys that tell their ids apart. */
export const pageRuns = (runs: readonly ReportedRun[]): readonly PageRun[] =>
  runs.map((run, index) => ({
    ...run,
    key: `r${index + 1}`,
    runs: runs.length,
    exchangeIndex: new Map(run.result.exchanges.map(({ id }, at) => [id, at])),
    details: new Map((run.timelines?.exchanges ?? []).map((detail) => [detail.exchange, detail])),
  }));

/** A verdict with its place in its run, from which the ids of the page are made. */
export interface PlacedVerdict {
  readonly run: PageRun;
  readonly index: number;
  readonly rule: RuleVerdict;
}

/** The id of what is shown in detail of a verdict. */
export const detailId = ({ run, index }: PlacedVerdict): string => `${run.key}-v${index}`;

/** The id of an exchange in the table of exchanges; absent when the page does not list it. */
export const exchangeRowId = ({ key, runs, exchangeIndex }: PageRun, exchange: string): string | undefined => {
  const index = exchangeIndex.get(exchange);
  return index === undefined || index >= shareOf(pageCaps.exchanges, runs) ? undefined : `${key}-x${index}`;
};
