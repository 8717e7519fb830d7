import { type MutationProof, ruleStanding, type RuleVerdict } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { describeProof } from "../../document/proof-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { createDetailId, type PlacedVerdict } from "./page-runs.ts";
import { Name, Prose } from "./prose.tsx";
import { formatColumnTitle, getColumnsClass } from "./rule-map.tsx";
import type { MatrixGroup, MatrixRow, RuleMatrix } from "./rule-matrix.ts";
import { getSpecificationName, getSectionName } from "../../document/section-names.ts";
import { filterAttributes, formatRuleCount, StandingBadge } from "./standing-badge.tsx";

/** Ids of verdicts that have details elsewhere on the page. */
export type DetailedVerdicts = ReadonlySet<string>;

/** Ids of rows that have one. */
export type RowIds = ReadonlyMap<MatrixRow, string>;

interface CellProps {
  readonly placed: PlacedVerdict | undefined;
  readonly title: string;
  readonly detailedVerdicts: DetailedVerdicts;
}

const Verdict = ({ placed: { rule } }: { readonly placed: PlacedVerdict }) => (
  <>
    <StandingBadge standing={ruleStanding(rule)} />
    <small>{formatRuleCount(rule)}</small>
  </>
);

const Cell = ({ placed, title, detailedVerdicts }: CellProps) => {
  if (placed === undefined) {
    return <td class="none" />;
  }
  const id = createDetailId(placed);
  return detailedVerdicts.has(id) ? (
    <td data-c={title}>
      <a href={`#${id}`}>
        <Verdict placed={placed} />
      </a>
    </td>
  ) : (
    <td data-c={title} id={id}>
      <Verdict placed={placed} />
    </td>
  );
};

/** Returns the titles of the rules of a row without duplicates. Rules of two interfaces often have the same title. */
const formatDistinctTitles = (rules: readonly PlacedVerdict[]): readonly string[] => [
  ...new Set(rules.map(({ rule }) => escapeForDisplay(rule.title))),
];

const formatCitedSections = (rules: readonly PlacedVerdict[]): string =>
  [
    ...new Set(
      rules.flatMap(({ rule }) => rule.requirements.map(({ section }) => `§${escapeForDisplay(section, "name")}`)),
    ),
  ]
    .slice(0, 6)
    .join(" ");

const isConfirmed = ({ confirmed }: MutationProof): boolean => confirmed !== undefined;

/** Lists the mutation kinds of a rule and whether they confirm its pass, folded. */
const Proof = ({ rule: { rule, proof = [] } }: { readonly rule: RuleVerdict }) =>
  proof.length === 0 ? undefined : (
    <details class="proof">
      <summary>
        <Name text={rule} /> pass confirmed by {proof.filter(isConfirmed).length} of {counted(proof.length, "mutation")}
      </summary>
      <ul>
        {proof.map((mutation) => (
          <li>
            a target that <Prose text={mutation.mutation} />: <Prose text={describeProof(mutation)} />
          </li>
        ))}
      </ul>
    </details>
  );

interface RowProps {
  readonly row: MatrixRow;
  readonly titles: readonly string[];
  readonly detailedVerdicts: DetailedVerdicts;
  /** Id of the row, if links to its rule lead to it. */
  readonly id: string | undefined;
}

const Row = ({ row: { label, cells }, titles, detailedVerdicts, id }: RowProps) => {
  const rules = cells.filter((cell) => cell !== undefined);
  const bases = [...new Set(rules.map(({ rule }) => rule.basis))].join(", ");
  return (
    <tr id={id} {...filterAttributes(rules.map(({ rule }) => rule))}>
      <th scope="row">
        <Name text={label} />{" "}
        <span class="meta">
          {bases} {formatCitedSections(rules)}
        </span>
        {formatDistinctTitles(rules).map((title) => (
          <span class="title">
            <Prose text={title} />
          </span>
        ))}
        {rules.map(({ rule }) => (
          <Proof rule={rule} />
        ))}
      </th>
      {cells.map((placed, index) => (
        <Cell placed={placed} title={titles[index] ?? ""} detailedVerdicts={detailedVerdicts} />
      ))}
    </tr>
  );
};

interface GroupProps {
  readonly matrix: RuleMatrix;
  readonly group: MatrixGroup;
  readonly detailedVerdicts: DetailedVerdicts;
  readonly ids: RowIds;
}

const Group = ({ matrix: { specification, columns }, group, detailedVerdicts, ids }: GroupProps) => (
  <tbody>
    <tr class="group">
      <th scope="rowgroup" colSpan={columns.length + 1}>
        <span class="sec">{escapeForDisplay(group.section, "name")}</span>{" "}
        {getSectionName(specification, group.section)}
      </th>
    </tr>
    {group.rows.map((row) => (
      <Row row={row} titles={columns.map(formatColumnTitle)} detailedVerdicts={detailedVerdicts} id={ids.get(row)} />
    ))}
  </tbody>
);

interface RuleTableProps {
  readonly matrix: RuleMatrix;
  readonly detailedVerdicts: DetailedVerdicts;
  readonly ids: RowIds;
}

/** Lists every rule with its verdict in each column, by section of its specification. */
export const RuleTable = ({ matrix, detailedVerdicts, ids }: RuleTableProps) => (
  <table class={getColumnsClass("rules", matrix.columns)}>
    <caption>
      {matrix.specification === ""
        ? "Other rules"
        : escapeForDisplay(getSpecificationName(matrix.specification), "name")}
    </caption>
    <thead>
      <tr>
        <th scope="col">Rule</th>
        {matrix.columns.map((column) => (
          <th scope="col">{formatColumnTitle(column)}</th>
        ))}
      </tr>
    </thead>
    {matrix.groups.map((group) => (
      <Group matrix={matrix} group={group} detailedVerdicts={detailedVerdicts} ids={ids} />
    ))}
  </table>
);
