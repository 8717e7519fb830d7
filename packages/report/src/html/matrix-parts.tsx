import { detailId } from "./page-runs.ts";
import type { PagePart } from "./page-section.tsx";
import { RuleMap } from "./rule-map.tsx";
import { differingRows, type RuleMatrix } from "./rule-matrix.ts";
import { type DetailedVerdicts, RuleTable } from "./rule-table.tsx";

const verdictsOf = (matrices: readonly RuleMatrix[]) =>
  matrices
    .flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))
    .flatMap(({ cells }) => cells.filter((placed) => placed !== undefined));

const Tables = ({
  matrices,
  detailed,
}: {
  readonly matrices: readonly RuleMatrix[];
  readonly detailed: DetailedVerdicts;
}) => (
  <div class="tables">
    {matrices.map((matrix) => (
      <RuleTable matrix={matrix} detailed={detailed} />
    ))}
  </div>
);

/** The rules as squares; nothing where no rule was selected. */
export const mapParts = (key: string, matrices: readonly RuleMatrix[]): readonly PagePart[] =>
  matrices.length === 0
    ? []
    : [{ id: `${key}-map`, title: "Rules at a glance", body: <RuleMap matrices={matrices} /> }];

/** Every rule in a line, with links to what is shown in detail; nothing where no rule was selected. */
export const tableParts = (
  key: string,
  matrices: readonly RuleMatrix[],
  detailed: DetailedVerdicts,
): readonly PagePart[] =>
  matrices.length === 0
    ? []
    : [
        {
          id: `${key}-rules`,
          title: "Every rule",
          count: `${verdictsOf(matrices).length}`,
          body: <Tables matrices={matrices} detailed={detailed} />,
        },
      ];

/** The rules that do not come to the same in all runs; each leads to where the page shows it otherwise. */
export const differingParts = (key: string, matrices: readonly RuleMatrix[]): readonly PagePart[] => {
  const differing = differingRows(matrices);
  const elsewhere = new Set(verdictsOf(differing).map(detailId));
  const rows = differing.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  return [
    {
      id: `${key}-differing`,
      title: "Where the runs differ",
      count: `${rows.length}`,
      body:
        rows.length === 0 ? (
          <p>Every rule comes to the same in all runs.</p>
        ) : (
          <Tables matrices={differing} detailed={elsewhere} />
        ),
    },
  ];
};
