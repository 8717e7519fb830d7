import { ruleIds } from "@assay/contract";
import type { RuleVerdict, RunTimelines } from "@assay/results";
import { pageCaps, divideCap } from "./page-caps.ts";
import type { ReportedRun } from "../../document/report-input.ts";
import { runNames } from "./run-names.ts";

/** A run on its page. */
export interface PageRun extends ReportedRun {
  /** Prefix of ids on the page: `r1`, `r2`, ... in input order. */
  readonly key: string;
  /** A short name, unique on the page. Not escaped. */
  readonly name: string;
  /** Number of runs on the page, which share its limits. */
  readonly runCount: number;
  /** Indices of the exchanges of the run, by id. */
  readonly exchangeIndex: ReadonlyMap<string, number>;
  /** Details of exchanges, by id. */
  readonly exchangeDetails: ReadonlyMap<string, RunTimelines["exchanges"][number]>;
  /** Ids on the page, by index of the verdict. */
  readonly verdictIds: readonly string[];
}

const knownRules: ReadonlySet<string> = new Set(ruleIds);

/**
 * Returns ids on the page for rules, in order: the id of the rule for the first verdict on a known rule, and `fallbackId` for all others,
 * because a stored result may have been edited.
 */
export const createRuleAnchors = (
  rules: readonly string[],
  fallbackId: (index: number) => string,
): readonly string[] => {
  const usedIds = new Set<string>();
  return rules.map((rule, index) => {
    const isAvailable = knownRules.has(rule) && !usedIds.has(rule);
    usedIds.add(rule);
    return isAvailable ? rule : fallbackId(index);
  });
};

/** Returns rule ids on a page of one run, so that links can be written by hand. On a page of several runs, adds the key of the run. */
const createVerdictIds = (verdicts: readonly RuleVerdict[], key: string, isSingleRun: boolean): readonly string[] => {
  const anchors = createRuleAnchors(
    verdicts.map(({ rule }) => rule),
    (index) => (isSingleRun ? `${key}-v${index}` : `v${index}`),
  );
  return isSingleRun ? anchors : anchors.map((anchor) => `${key}/${anchor}`);
};

/** Prepares the runs of a page, with keys and names. */
export const createPageRuns = (runs: readonly ReportedRun[]): readonly PageRun[] => {
  const names = runNames(runs.map(({ name, result: { run } }) => ({ ...run, name })));
  return runs.map((run, index) => ({
    ...run,
    key: `r${index + 1}`,
    name: names[index] ?? "",
    runCount: runs.length,
    exchangeIndex: new Map(run.result.exchanges.map(({ id }, exchangeIndex) => [id, exchangeIndex])),
    exchangeDetails: new Map((run.timelines?.exchanges ?? []).map((detail) => [detail.exchange, detail])),
    verdictIds: createVerdictIds(run.result.verdicts, `r${index + 1}`, runs.length === 1),
  }));
};

/** A verdict with its index in its run. */
export interface PlacedVerdict {
  readonly run: PageRun;
  readonly index: number;
  readonly rule: RuleVerdict;
}

/** Returns the id of the details of a verdict. */
export const createDetailId = ({ run, index }: PlacedVerdict): string =>
  run.verdictIds[index] ?? `${run.key}-v${index}`;

/** Returns the id of an exchange in the table of exchanges, or undefined if the table does not list it. */
export const createExchangeRowId = (
  { key, runCount, exchangeIndex }: PageRun,
  exchange: string,
): string | undefined => {
  const index = exchangeIndex.get(exchange);
  return index === undefined || index >= divideCap(pageCaps.exchanges, runCount) ? undefined : `${key}-x${index}`;
};
