import { groupedBy, ruleRows, type RuleVerdict } from "@assay/results";
import { topSection } from "../../document/section-names.ts";
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

const specificationOf = ({ requirements }: RuleVerdict): string => requirements[0]?.specification ?? "";
const sectionOf = ({ requirements }: RuleVerdict): string => topSection(requirements[0]?.section ?? "");

/** Returns the sort key of a section: its number. Sections without a number are last. */
const sectionOrder = (section: string): number => (/^\d{1,3}$/u.test(section) ? Number(section) : 1000);

/** A row, with the rule that determines its specification and section. */
interface PlacedRow extends MatrixRow {
  readonly first: RuleVerdict;
}

const placedRow = (label: string, cells: MatrixRow["cells"]): readonly PlacedRow[] => {
  const first = cells.find((cell) => cell !== undefined)?.rule;
  return first === undefined ? [] : [{ label, cells, first }];
};

/** Returns the rows of one run. Rules that differ only in their interface share a row. A second verdict has its own row. */
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
 * Groups the rules of all runs by specification and section. A single run has a column for each interface. Several runs have one column
 * each. The first requirement of the first rule in a row determines its section.
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
