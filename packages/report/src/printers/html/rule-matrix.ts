import { groupedBy, ruleRows, type RuleVerdict } from "@assay/results";
import { topSection } from "../../document/section-names.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";

/** A column of a matrix: an interface if the page shows one run, else a run. */
export interface MatrixColumn {
  readonly key: string;
  readonly interface?: string;
  readonly run: PageRun;
}

/** The verdicts on a rule, one for each column; undefined if the column has no such rule. */
export interface MatrixRow {
  /** Id of the rule, or the part that rules of several interfaces share; not escaped. */
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
  /** Id of the specification; empty for rules without one. */
  readonly specification: string;
  readonly columns: readonly MatrixColumn[];
  readonly groups: readonly MatrixGroup[];
}

const specificationOf = ({ requirements }: RuleVerdict): string => requirements[0]?.specification ?? "";
const sectionOf = ({ requirements }: RuleVerdict): string => topSection(requirements[0]?.section ?? "");

/** Sections by number; those without a number come last. */
const sectionOrder = (section: string): number => (/^\d{1,3}$/u.test(section) ? Number(section) : 1000);

/** Rows with the rule that decides their specification and section. */
interface PlacedRow extends MatrixRow {
  readonly first: RuleVerdict;
}

const placedRow = (label: string, cells: MatrixRow["cells"]): readonly PlacedRow[] => {
  const first = cells.find((cell) => cell !== undefined)?.rule;
  return first === undefined ? [] : [{ label, cells, first }];
};

/** One run: rules of several interfaces that differ only in their interface share a row. A second verdict gets its own row. */
const rowsOfOneRun = (placed: readonly PlacedVerdict[], interfaces: readonly string[]): readonly PlacedRow[] =>
  groupedBy(placed, ({ rule }) => rule.rule.slice(rule.rule.indexOf("/") + 1)).flatMap((verdicts) => {
    const { rule } = verdicts[0].rule;
    const columns = interfaces.map((name) => verdicts.filter((one) => one.rule.interface === name));
    const height = Math.max(...columns.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      placedRow(
        rule.slice(rule.indexOf("/") + 1),
        columns.map((cells) => cells[at]),
      ),
    ).flat();
  });

const rowsOfRuns = (runs: readonly PageRun[]): readonly PlacedRow[] =>
  ruleRows(runs.map(({ result }) => result)).flatMap(({ cells }) =>
    placedRow(
      cells.find((cell) => cell !== undefined)?.rule.rule ?? "",
      cells.map((cell, at) => (cell === undefined || runs[at] === undefined ? undefined : { ...cell, run: runs[at] })),
    ),
  );

const matrixOf = (rows: readonly [PlacedRow, ...PlacedRow[]], columns: readonly MatrixColumn[]): RuleMatrix => ({
  specification: specificationOf(rows[0].first),
  columns,
  groups: groupedBy(rows, ({ first }) => sectionOf(first))
    .map((group) => ({ section: sectionOf(group[0].first), rows: group }))
    .toSorted((one, other) => sectionOrder(one.section) - sectionOrder(other.section)),
});

const bySpecification = (rows: readonly PlacedRow[]) => groupedBy(rows, ({ first }) => specificationOf(first));

const matricesOfOneRun = (run: PageRun): readonly RuleMatrix[] => {
  const placed = run.result.verdicts.map((rule, index) => ({ run, index, rule }));
  return groupedBy(placed, ({ rule }) => specificationOf(rule)).flatMap((verdicts) => {
    const interfaces = [...new Set(verdicts.map(({ rule }) => rule.interface))];
    const columns = interfaces.map((name) => ({ key: name, interface: name, run }));
    return bySpecification(rowsOfOneRun(verdicts, interfaces)).map((rows) => matrixOf(rows, columns));
  });
};

/**
 * The rules of all runs by specification and section. One run has a column for each interface; several runs have a column each. The first
 * requirement of the first rule of a row decides its section.
 */
export const ruleMatrices = (runs: readonly PageRun[]): readonly RuleMatrix[] => {
  const [only, ...others] = runs;
  if (only === undefined) {
    return [];
  }
  return others.length === 0
    ? matricesOfOneRun(only)
    : bySpecification(rowsOfRuns(runs)).map((rows) =>
        matrixOf(
          rows,
          runs.map((run) => ({ key: run.key, run })),
        ),
      );
};
