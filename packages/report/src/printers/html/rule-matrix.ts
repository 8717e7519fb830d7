import type { RuleVerdict } from "@assay/results";
import { groupedBy } from "../../document/rule-groups.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import { topSection } from "../../document/section-names.ts";

/** A column of a matrix: an interface where one run is shown, a run where several are. */
export interface MatrixColumn {
  readonly key: string;
  readonly interface?: string;
  readonly run: PageRun;
}

/** What one statement comes to in each column; absent where no rule says it there. */
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

/** All rules that come from one specification. */
export interface RuleMatrix {
  /** Id of the specification; empty for rules that name none. */
  readonly specification: string;
  readonly columns: readonly MatrixColumn[];
  readonly groups: readonly MatrixGroup[];
}

const specificationOf = ({ requirements }: RuleVerdict): string => requirements[0]?.specification ?? "";
const sectionOf = ({ requirements }: RuleVerdict): string => topSection(requirements[0]?.section ?? "");
const statementOf = ({ rule }: RuleVerdict): string => rule.slice(rule.indexOf("/") + 1);

/** Sections in their order, what has no number last. */
const sectionOrder = (section: string): number => (/^\d{1,3}$/u.test(section) ? Number(section) : 1000);

const uniqueOf = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

interface Layout {
  readonly columns: readonly MatrixColumn[];
  readonly columnOf: (placed: PlacedVerdict) => string;
  readonly labelOf: (rule: RuleVerdict) => string;
}

/** One run: a column for each interface, and rules that say the same of several interfaces side by side. */
const byInterface = (run: PageRun, placed: readonly PlacedVerdict[]): Layout => ({
  columns: uniqueOf(placed.map(({ rule }) => rule.interface)).map((name) => ({ key: name, interface: name, run })),
  columnOf: ({ rule }) => rule.interface,
  labelOf: statementOf,
});

/** Several runs: a column for each, and a row for each rule. */
const byRun = (runs: readonly PageRun[]): Layout => ({
  columns: runs.map((run) => ({ key: run.key, run })),
  columnOf: ({ run }) => run.key,
  labelOf: ({ rule }) => rule,
});

/** Which verdicts share a row; with `interface` and `operation` where a row is one rule, so that nothing is hidden. */
const rowKey = (placed: PlacedVerdict, { labelOf }: Layout, isOneRun: boolean): string =>
  JSON.stringify([labelOf(placed.rule), ...(isOneRun ? [] : [placed.rule.interface, placed.rule.operation])]);

/** Rows of verdicts with one key; a second verdict for the same cell gets a row of its own. */
const rowsOf = (verdicts: readonly PlacedVerdict[], { columns, columnOf, labelOf }: Layout): readonly MatrixRow[] => {
  const [first] = verdicts;
  const inColumn = columns.map(({ key }) => verdicts.filter((placed) => columnOf(placed) === key));
  const height = Math.max(0, ...inColumn.map((cells) => cells.length));
  return first === undefined
    ? []
    : Array.from({ length: height }, (_, at) => ({
        label: labelOf(first.rule),
        cells: inColumn.map((cells) => cells[at]),
      }));
};

const matrixOf = (placed: readonly PlacedVerdict[], layout: Layout, isOneRun: boolean): RuleMatrix => {
  const rows = groupedBy(placed, (one) => rowKey(one, layout, isOneRun)).map((verdicts) => ({
    section: verdicts[0] === undefined ? "" : sectionOf(verdicts[0].rule),
    rows: rowsOf(verdicts, layout),
  }));
  return {
    specification: placed[0] === undefined ? "" : specificationOf(placed[0].rule),
    columns: layout.columns,
    groups: groupedBy(rows, ({ section }) => section)
      .map((group) => ({ section: group[0]?.section ?? "", rows: group.flatMap(({ rows }) => rows) }))
      .toSorted((one, other) => sectionOrder(one.section) - sectionOrder(other.section)),
  };
};

/**
 * The rules of all runs by specification and section: for one run a column for each interface, for several a column for each run.
 * A statement stands in the section of the first sentence of the first rule that says it; sections are in their order.
 */
export const ruleMatrices = (runs: readonly PageRun[]): readonly RuleMatrix[] => {
  const [only] = runs;
  const all = runs.flatMap((run) => run.result.verdicts.map((rule, index) => ({ run, index, rule })));
  return groupedBy(all, ({ rule }) => specificationOf(rule)).map((placed) =>
    only !== undefined && runs.length === 1
      ? matrixOf(placed, byInterface(only, placed), true)
      : matrixOf(placed, byRun(runs), false),
  );
};
