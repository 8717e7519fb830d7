import { ruleStanding, ruleStandings } from "@assay/results";
import { countsOf } from "../../document/rule-groups.ts";
import { shownText } from "../../document/shown-text.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { detailId, type PlacedVerdict } from "./page-runs.ts";
import type { MatrixColumn, MatrixGroup, RuleMatrix } from "./rule-matrix.ts";
import { specificationName, sectionName } from "../../document/section-names.ts";
import { pageSigns } from "./standing-badge.tsx";

/** A verdict as its sign, which leads to what is shown of it in detail. */
export const Square = ({ placed }: { readonly placed: PlacedVerdict }) => {
  const standing = ruleStanding(placed.rule);
  const label = `${shownText(placed.rule.rule, "name")}: ${verdictWords[standing].word}`;
  return (
    <a class={`sq s-${standing}`} href={`#${detailId(placed)}`} title={label} aria-label={label}>
      {pageSigns[standing]}
    </a>
  );
};

interface CellProps {
  readonly group: MatrixGroup;
  readonly at: number;
  /** Where runs stand side by side, a rule that one of them did not select keeps its place there. */
  readonly isRun: boolean;
  /** Of the column, which a narrow page shows beside the cell. */
  readonly title: string;
}

const MapCell = ({ group, at, isRun, title }: CellProps) => {
  const placed = group.rows.map(({ cells }) => cells[at]).filter((one) => isRun || one !== undefined);
  const seen = placed.filter((one) => one !== undefined);
  return seen.length === 0 ? (
    <td class="none">
      <span class="unseen">no rule</span>
    </td>
  ) : (
    <td data-c={title}>
      <div class="squares">
        {placed.map((one) => (one === undefined ? <span class="sq s-absent" /> : <Square placed={one} />))}
      </div>
      <small>{countsOf(seen.map(({ rule }) => rule))}</small>
    </td>
  );
};

/** So many columns have room side by side on a wide page. */
export const maxColumns = 4;

/** Class of a table with these columns: the style sheet lays out one, and more than stand side by side, in ways of their own. */
export const columnsClass = (name: string, { length }: readonly MatrixColumn[]): string =>
  length === 1 ? `${name} one` : length > maxColumns ? `${name} many` : length === maxColumns ? `${name} four` : name;

/** What a column shows: an interface, or a run by its name. */
export const columnTitle = ({ interface: name, run }: MatrixColumn): string =>
  name === undefined ? shownText(run.name, "name") : name === "migration" ? "both together" : shownText(name, "name");

const MatrixMap = ({ matrix: { specification, columns, groups } }: { readonly matrix: RuleMatrix }) => (
  <table class={columnsClass("map", columns)}>
    <caption>{specification === "" ? "Other rules" : shownText(specificationName(specification), "name")}</caption>
    <thead>
      <tr>
        <th scope="col">Section</th>
        {columns.map((column) => (
          <th scope="col">{columnTitle(column)}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {groups.map((group) => (
        <tr>
          <th scope="row">
            <span class="sec">{shownText(group.section, "name")}</span> {sectionName(specification, group.section)}
          </th>
          {columns.map((column, at) => (
            <MapCell group={group} at={at} isRun={column.interface === undefined} title={columnTitle(column)} />
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

/** Every rule as a square, by section of the specification and by interface or run; each leads to what is shown of it in detail. */
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
