import { groupBy, createRuleRows, type RuleVerdict } from "@assay/results";
import { getTopSection } from "../../document/section-names.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";

/** A column of a matrix: an interface if the page shows one run, otherwise a run. */
export interface MatrixColumn {
  readonly key: string;
  readonly interface?: string;
  readonly run: PageRun;
}

/** The verdicts on a rule, one for each column. Undefined for columns without the rule. */
export interface MatrixRow {
  /** Id of the rule, or the part of the id that rules of several interfaces share. Not escaped. */
  readonly label: string;
  readonly cells: readonly (PlacedVerdict | undefined)[];
}

/** The rows of one section of a specification. */
export interface MatrixGroup {
  readonly section: string;
  readonly rows: readonly MatrixRow[];
}

/** All rules of one specification. */
export interface RuleMatrix {
  /** Id of the specification. Empty for rules without one. */
  readonly specification: string;
  readonly columns: readonly MatrixColumn[];
  readonly groups: readonly MatrixGroup[];
}

const getRuleSpecification = ({ requirements }: RuleVerdict): string => requirements[0]?.specification ?? "";
const getRuleSection = ({ requirements }: RuleVerdict): string => getTopSection(requirements[0]?.section ?? "");

/** Returns the sort key of a section: its number. Sections without a number are last. */
const getSectionSortKey = (section: string): number => (/^\d{1,3}$/u.test(section) ? Number(section) : 1000);

/** A row, with the rule that determines its specification and section. */
interface KeyedRow extends MatrixRow {
  readonly keyRule: RuleVerdict;
}

const createKeyedRow = (label: string, cells: MatrixRow["cells"]): readonly KeyedRow[] => {
  const keyRule = cells.find((cell) => cell !== undefined)?.rule;
  return keyRule === undefined ? [] : [{ label, cells, keyRule }];
};

/** Returns the rows of one run. Rules that differ only in their interface share a row. A second verdict has its own row. */
const createRowsOfOneRun = (verdicts: readonly PlacedVerdict[], interfaces: readonly string[]): readonly KeyedRow[] =>
  groupBy(verdicts, ({ rule }) => rule.rule.slice(rule.rule.indexOf("/") + 1)).flatMap((sameRule) => {
    const { rule } = sameRule[0].rule;
    const columns = interfaces.map((name) => sameRule.filter((verdict) => verdict.rule.interface === name));
    const height = Math.max(...columns.map(({ length }) => length));
    return Array.from({ length: height }, (_, index) =>
      createKeyedRow(
        rule.slice(rule.indexOf("/") + 1),
        columns.map((cells) => cells[index]),
      ),
    ).flat();
  });

const listRowsOfSeveralRuns = (runs: readonly PageRun[]): readonly KeyedRow[] =>
  createRuleRows(runs.map(({ result }) => result)).flatMap(({ cells }) =>
    createKeyedRow(
      cells.find((cell) => cell !== undefined)?.rule.rule ?? "",
      cells.map((cell, index) =>
        cell === undefined || runs[index] === undefined ? undefined : { ...cell, run: runs[index] },
      ),
    ),
  );

const createMatrix = (rows: readonly [KeyedRow, ...KeyedRow[]], columns: readonly MatrixColumn[]): RuleMatrix => ({
  specification: getRuleSpecification(rows[0].keyRule),
  columns,
  groups: groupBy(rows, ({ keyRule }) => getRuleSection(keyRule))
    .map((group) => ({ section: getRuleSection(group[0].keyRule), rows: group }))
    .toSorted((a, b) => getSectionSortKey(a.section) - getSectionSortKey(b.section)),
});

const groupBySpecification = (rows: readonly KeyedRow[]) =>
  groupBy(rows, ({ keyRule }) => getRuleSpecification(keyRule));

const createMatricesOfOneRun = (run: PageRun): readonly RuleMatrix[] => {
  const placedVerdicts = run.result.verdicts.map((rule, index) => ({ run, index, rule }));
  return groupBy(placedVerdicts, ({ rule }) => getRuleSpecification(rule)).flatMap((verdicts) => {
    const interfaces = [...new Set(verdicts.map(({ rule }) => rule.interface))];
    const columns = interfaces.map((name) => ({ key: name, interface: name, run }));
    return groupBySpecification(createRowsOfOneRun(verdicts, interfaces)).map((rows) => createMatrix(rows, columns));
  });
};

/**
 * Groups the rules of all runs by specification and section. A single run has a column for each interface. Several runs have one column
 * each. The first requirement of the first rule in a row determines its section.
 */
export const createRuleMatrices = (runs: readonly PageRun[]): readonly RuleMatrix[] => {
  const [firstRun, ...otherRuns] = runs;
  if (firstRun === undefined) {
    return [];
  }
  return otherRuns.length === 0
    ? createMatricesOfOneRun(firstRun)
    : groupBySpecification(listRowsOfSeveralRuns(runs)).map((rows) =>
        createMatrix(
          rows,
          runs.map((run) => ({ key: run.key, run })),
        ),
      );
};
