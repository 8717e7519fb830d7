import { ruleStanding, ruleStandings } from "@assay/results";
import { formatCounts } from "../../document/rule-groups.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { createDetailId, type PlacedVerdict } from "./page-runs.ts";
import type { MatrixColumn, MatrixGroup, RuleMatrix } from "./rule-matrix.ts";
import { getSpecificationName, getSectionName } from "../../document/section-names.ts";
import { pageSigns } from "./standing-badge.tsx";

/** Shows the sign of a verdict, with a link to its details. */
export const Square = ({ placed }: { readonly placed: PlacedVerdict }) => {
  const standing = ruleStanding(placed.rule);
  const label = `${escapeForDisplay(placed.rule.rule, "name")}: ${verdictWords[standing].word}`;
  return (
    <a class={`sq s-${standing}`} href={`#${createDetailId(placed)}`} title={label} aria-label={label}>
      {pageSigns[standing]}
    </a>
  );
};

interface CellProps {
  readonly group: MatrixGroup;
  readonly columnIndex: number;
  /** True if columns are runs: a rule that a run did not select leaves an empty square. */
  readonly isRun: boolean;
  /** Title of the column, which a narrow page shows in the cell. */
  readonly title: string;
}

const MapCell = ({ group, columnIndex, isRun, title }: CellProps) => {
  const cells = group.rows.map((row) => row.cells[columnIndex]).filter((cell) => isRun || cell !== undefined);
  const verdicts = cells.filter((cell) => cell !== undefined);
  return verdicts.length === 0 ? (
    <td class="none">
      <span class="unseen">no rule</span>
    </td>
  ) : (
    <td data-c={title}>
      <div class="squares">
        {cells.map((cell) => (cell === undefined ? <span class="sq s-absent" /> : <Square placed={cell} />))}
      </div>
      <small>{formatCounts(verdicts.map(({ rule }) => rule))}</small>
    </td>
  );
};

/** Maximum number of columns next to each other on a wide page. */
export const maxColumns = 4;

/** Returns the class of a table by its number of columns. The style sheet has layouts for one, four, and more columns. */
export const getColumnsClass = (name: string, { length }: readonly MatrixColumn[]): string =>
  length === 1 ? `${name} one` : length > maxColumns ? `${name} many` : length === maxColumns ? `${name} four` : name;

/** Returns the title of a column: an interface, or the name of a run. */
export const formatColumnTitle = ({ interface: name, run }: MatrixColumn): string =>
  name === undefined
    ? escapeForDisplay(run.name, "name")
    : name === "migration"
      ? "both together"
      : escapeForDisplay(name, "name");

const MatrixMap = ({ matrix: { specification, columns, groups } }: { readonly matrix: RuleMatrix }) => (
  <table class={getColumnsClass("map", columns)}>
    <caption>
      {specification === "" ? "Other rules" : escapeForDisplay(getSpecificationName(specification), "name")}
    </caption>
    <thead>
      <tr>
        <th scope="col">Section</th>
        {columns.map((column) => (
          <th scope="col">{formatColumnTitle(column)}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {groups.map((group) => (
        <tr>
          <th scope="row">
            <span class="sec">{escapeForDisplay(group.section, "name")}</span>{" "}
            {getSectionName(specification, group.section)}
          </th>
          {columns.map((column, index) => (
            <MapCell
              group={group}
              columnIndex={index}
              isRun={column.interface === undefined}
              title={formatColumnTitle(column)}
            />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const Legend = () => (
  <ul class="legend" aria-label="Signs">
    {ruleStandings.map((standing) => (
      <li>
        <span class={`sq s-${standing}`} aria-hidden="true">
          {pageSigns[standing]}
        </span>
        {verdictWords[standing].word}
      </li>
    ))}
  </ul>
);

/** Shows every rule as a square with a link to its details, by section of the specification and by interface or run. */
export const RuleMap = ({ matrices }: { readonly matrices: readonly RuleMatrix[] }) => (
  <>
    <Legend />
    <div class="maps">
      {matrices.map((matrix) => (
        <MatrixMap matrix={matrix} />
      ))}
    </div>
  </>
);
