import type { ComponentChildren, JSX } from "preact";
import { Scroll } from "./page-section.tsx";

/** The values of a figure, or a list of facts. */
export interface TableContent {
  /** One sentence. */
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of a row names it. The renderer escapes text. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** Maximum number of columns on a narrow page. The cells of wider tables are stacked there. */
const maxNarrowColumns = 3;

/** Tables with more rows scroll on a narrow page instead of repeating column names in each cell. */
const maxStackedRows = 40;

const getTableClass = ({ head, rows }: TableContent): string => {
  const kind = rows.length > maxStackedRows ? "long" : "many";
  return head.length > maxNarrowColumns ? `fig-table ${kind}` : "fig-table";
};

/** A table whose first column and first row are headers. */
export const DataTable = (content: TableContent): JSX.Element => {
  const { caption, head, rows } = content;
  const hasColumnNames = getTableClass(content).endsWith("many");
  return (
    <Scroll label={caption}>
      <table class={getTableClass(content)}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells]) => (
            <tr>
              <th scope="row">{first}</th>
              {cells.map((cell, index) => (
                <td data-c={hasColumnNames ? head[index + 1] : undefined}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};
