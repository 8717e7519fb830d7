import { ruleStanding } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { createDetailId, type PageRun, type PlacedVerdict, createRuleAnchors } from "./page-runs.ts";
import type { PagePart } from "./page-section.tsx";
import { Name, Prose } from "./prose.tsx";
import { formatColumnTitle, maxColumns, Square } from "./rule-map.tsx";
import type { MatrixColumn, MatrixRow } from "./rule-matrix.ts";
import { type RowSummary, describeRow, type RunDifferences } from "./run-differences.ts";
import { filterAttributes, StandingBadge } from "./standing-badge.tsx";

interface CellProps {
  readonly placed: PlacedVerdict | undefined;
  readonly title: string;
}

const Cell = ({ placed, title }: CellProps) => (
  <td data-c={title}>
    {placed === undefined ? (
      <small>not selected</small>
    ) : (
      <a href={`#${createDetailId(placed)}`}>
        <StandingBadge standing={ruleStanding(placed.rule)} />
      </a>
    )}
  </td>
);

/** Shows one square for each run, in order, if there is no room for badges. */
const Squares = ({ cells }: Pick<MatrixRow, "cells">) => (
  <td>
    <div class="squares">
      {cells.map((placed) => (placed === undefined ? <span class="sq s-absent" /> : <Square placed={placed} />))}
    </div>
  </td>
);

interface RowProps {
  readonly row: MatrixRow;
  readonly columns: readonly MatrixColumn[];
  /** Id of the row on the page. Undefined if another row has the id of the rule. */
  readonly id: string | undefined;
  /** Whether the keys `j` and `k` stop at the row. */
  readonly isKeyboardStop: boolean;
}

const Summary = ({ summary: { verdict, message } }: { readonly summary: RowSummary }) => (
  <span class="story">
    <Prose text={verdict} />
    {message === undefined ? null : (
      <>
        : <Prose text={message} />
      </>
    )}
  </span>
);

const Row = ({ row, columns, id, isKeyboardStop }: RowProps) => {
  const rules = row.cells.filter((cell) => cell !== undefined);
  return (
    <tr id={id} data-step={isKeyboardStop ? true : undefined} {...filterAttributes(rules.map(({ rule }) => rule))}>
      <th scope="row">
        <Name text={row.label} />
        <Summary
          summary={describeRow(
            row,
            columns.map(({ run }) => run),
          )}
        />
      </th>
      {columns.length > maxColumns ? (
        <Squares cells={row.cells} />
      ) : (
        row.cells.map((placed, index) => (
          <Cell placed={placed} title={columns[index] === undefined ? "" : formatColumnTitle(columns[index])} />
        ))
      )}
    </tr>
  );
};

interface TableProps {
  readonly caption: string;
  readonly rows: readonly MatrixRow[];
  readonly columns: readonly MatrixColumn[];
  readonly ids: ReadonlyMap<MatrixRow, string>;
  readonly isKeyboardStop: boolean;
}

const DifferenceTable = ({ caption, rows, columns, ids, isKeyboardStop }: TableProps) => (
  <table class={`rules diff${columns.length > maxColumns ? " wide" : ""}`}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Rule</th>
        {columns.length > maxColumns ? (
          <th scope="col">{`The ${columns.length} runs in their order`}</th>
        ) : (
          columns.map((column) => <th scope="col">{formatColumnTitle(column)}</th>)
        )}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row row={row} columns={columns} id={ids.get(row)} isKeyboardStop={isKeyboardStop} />
      ))}
    </tbody>
  </table>
);

/** Returns ids for rows of several runs: the id of the rule for its first row, none for its other rows. */
export const createRowAnchors = (rows: readonly MatrixRow[]): ReadonlyMap<MatrixRow, string> => {
  const anchors = createRuleAnchors(
    rows.map(({ label }) => label),
    () => "",
  );
  return new Map(
    rows.flatMap((row, index) =>
      anchors[index] === undefined || anchors[index] === "" ? [] : [[row, anchors[index]]],
    ),
  );
};

const groups = [
  { kind: "failedInSome", caption: "Failed in some runs" },
  { kind: "judgedDifferently", caption: "Passed in some runs; warned or known failures in others" },
  { kind: "notJudgedInAll", caption: "Not tested in every run" },
] as const;

interface DifferenceOptions {
  readonly runs: readonly PageRun[];
  readonly ids: ReadonlyMap<MatrixRow, string>;
}

/** Shows the rules that failed in some runs first. Rules that were not judged in every run are folded unless they come first. */
const createDifferenceTables = (
  differences: RunDifferences,
  options: Omit<TableProps, "caption" | "rows" | "isKeyboardStop">,
) => {
  const nonEmptyGroups = groups.filter(({ kind }) => differences[kind].length > 0);
  return (
    <div class="tables">
      {nonEmptyGroups.map(({ kind, caption }, index) => {
        const rows = differences[kind];
        const table = (
          <DifferenceTable caption={caption} rows={rows} isKeyboardStop={kind !== "notJudgedInAll"} {...options} />
        );
        return kind === "notJudgedInAll" && index > 0 ? (
          <details>
            <summary>{`${counted(rows.length, "more rule")} not tested in every run`}</summary>
            {table}
          </details>
        ) : (
          table
        );
      })}
    </div>
  );
};

/** Returns the first parts of a page of several runs: where they differ, then the rules that failed in all of them. */
export const createDifferenceParts = (
  differences: RunDifferences,
  { runs, ids }: DifferenceOptions,
): readonly PagePart[] => {
  const { failedInAll, failedInSome, judgedDifferently, notJudgedInAll } = differences;
  const columns = runs.map((run) => ({ key: run.key, run }));
  const count = failedInSome.length + judgedDifferently.length + notJudgedInAll.length;
  return [
    {
      id: "all-differing",
      title: "Where the runs differ",
      count: `${count}`,
      body:
        count === 0 ? (
          <p>Every rule has the same verdict in all runs.</p>
        ) : (
          createDifferenceTables(differences, { columns, ids })
        ),
    },
    ...(failedInAll.length === 0
      ? []
      : [
          {
            id: "all-red",
            title: "Failed in every run",
            count: `${failedInAll.length}`,
            body: (
              <DifferenceTable
                caption="Failed in all of them"
                rows={failedInAll}
                columns={columns}
                ids={ids}
                isKeyboardStop
              />
            ),
          },
        ]),
  ];
};
