import { ruleIds } from "@assay/contract";
import type { RuleVerdict, RunTimelines } from "@assay/results";
import { pageCaps, shareOf } from "./page-caps.ts";
import type { ReportedRun } from "../../document/report-input.ts";
import { runNames } from "./run-names.ts";

/** One run on its page, with the part that is its own in the ids of everything about it. */
export interface PageRun extends ReportedRun {
  /** `r1`, `r2`, ... in the order of the input; ids and links of the page are made of it and of ids of rules. */
  readonly key: string;
  /** A short name that no other run of the page has; not escaped. */
  readonly name: string;
  /** How many runs the page shows; they share its caps. */
  readonly runs: number;
  /** Index of each exchange of the run by its id. */
  readonly exchangeIndex: ReadonlyMap<string, number>;
  /** What is recorded in detail, by the id of the exchange. */
  readonly details: ReadonlyMap<string, RunTimelines["exchanges"][number]>;
  /** By the index of a verdict: the id on the page of what is shown of it. */
  readonly verdictIds: readonly string[];
}

const knownRules: ReadonlySet<string> = new Set(ruleIds);

/**
 * Ids of a page that are made of ids of rules, in the order given: a rule of the catalogue gives its own, once. Everything else
 * gets what `otherwise` says, for a stored result is a file that somebody may have edited.
 */
export const ruleAnchors = (rules: readonly string[], otherwise: (index: number) => string): readonly string[] => {
  const taken = new Set<string>();
  return rules.map((rule, index) => {
    const isOwn = knownRules.has(rule) && !taken.has(rule);
    taken.add(rule);
    return isOwn ? rule : otherwise(index);
  });
};

/** Of the only run of a page a rule is linked to by its id, so that such a link can be written by hand; of several, behind the key of its run. */
const verdictIdsOf = (verdicts: readonly RuleVerdict[], key: string, isOnly: boolean): readonly string[] => {
  const anchors = ruleAnchors(
    verdicts.map(({ rule }) => rule),
    (index) => (isOnly ? `${key}-v${index}` : `v${index}`),
  );
  return isOnly ? anchors : anchors.map((anchor) => `${key}/${anchor}`);
};

/** The runs of a page with the keys that tell their ids apart. */
export const pageRuns = (runs: readonly ReportedRun[]): readonly PageRun[] => {
  const names = runNames(runs.map(({ name, result: { run } }) => ({ ...run, name })));
  return runs.map((run, index) => ({
    ...run,
    key: `r${index + 1}`,
    name: names[index] ?? "",
    runs: runs.length,
    exchangeIndex: new Map(run.result.exchanges.map(({ id }, at) => [id, at])),
    details: new Map((run.timelines?.exchanges ?? []).map((detail) => [detail.exchange, detail])),
    verdictIds: verdictIdsOf(run.result.verdicts, `r${index + 1}`, runs.length === 1),
  }));
};

/** A verdict with its place in its run, from which the ids of the page are made. */
export interface PlacedVerdict {
  readonly run: PageRun;
  readonly index: number;
  readonly rule: RuleVerdict;
}

/** The id of what is shown in detail of a verdict. */
export const detailId = ({ run, index }: PlacedVerdict): string => run.verdictIds[index] ?? `${run.key}-v${index}`;

/** The id of an exchange in the table of exchanges; absent when the page does not list it. */
export const exchangeRowId = ({ key, runs, exchangeIndex }: PageRun, exchange: string): string | undefined => {
  const index = exchangeIndex.get(exchange);
  return index === undefined || index >= shareOf(pageCaps.exchanges, runs) ? undefined : `${key}-x${index}`;
};
