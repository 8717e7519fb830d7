import { ruleIds } from "@assay/contract";
import { groupBy } from "./group-by.ts";
import type { RunResult } from "./run-result.ts";
import type { RuleVerdict } from "./verdict.ts";

/** The verdict on a rule in one run. */
export interface RuleCell {
  /** Its index among the verdicts of the run. */
  readonly index: number;
  readonly rule: RuleVerdict;
}

/** A rule on one operation in several runs. */
export interface RuleRow {
  /** One cell for each run. Undefined if the run did not select the rule. */
  readonly cells: readonly (RuleCell | undefined)[];
  /** True for a second verdict on the same rule and operation, which only an edited file contains. */
  readonly isRepeat: boolean;
}

const getRuleKey = ({ rule, interface: name, operation }: RuleVerdict): string =>
  JSON.stringify([rule, name, operation]);

const catalogueOrder: ReadonlyMap<string, number> = new Map(ruleIds.map((id, index) => [id, index]));
const getCatalogueRank = ([first]: readonly RuleCell[]): number =>
  catalogueOrder.get(first?.rule.rule ?? "") ?? Number.MAX_SAFE_INTEGER;

const groupCellsByKey = ({ verdicts }: Pick<RunResult, "verdicts">): ReadonlyMap<string, readonly RuleCell[]> => {
  const cells = verdicts.map((rule, index): RuleCell => ({ index, rule }));
  return new Map(groupBy(cells, ({ rule }) => getRuleKey(rule)).map((group) => [getRuleKey(group[0].rule), group]));
};

/** Creates a row for every rule of any of the runs, in the order of the catalogue. Unknown rules come last, in the order of the runs. */
export const createRuleRows = (results: readonly Pick<RunResult, "verdicts">[]): readonly RuleRow[] => {
  const byRun = results.map(groupCellsByKey);
  const keys = new Set(byRun.flatMap((cells) => [...cells.keys()]));
  return [...keys]
    .map((key) => byRun.map((cells) => cells.get(key) ?? []))
    .toSorted((a, b) => getCatalogueRank(a.flat()) - getCatalogueRank(b.flat()))
    .flatMap((columns) =>
      Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, index) => ({
        cells: columns.map((cells) => cells[index]),
        isRepeat: index > 0,
      })),
    );
};
