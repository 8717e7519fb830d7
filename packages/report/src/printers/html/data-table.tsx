import type { ComponentChildren, JSX } from "preact";
import { Scroll } from "./page-section.tsx";

/** The numbers behind a figure, or a list of facts. */
export interface TableContent {
  /** One sentence. */
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of a row names it. Text is escaped by the renderer, so it may come from anywhere. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** So many columns have room on the narrowest page; a table of more scrolls there. */
const narrowColumns = 3;

/** Tables of more rows do not name their columns in each cell. */
const namedRows = 40;

const classOf = ({ head, rows }: TableContent): string => {
  const kind = rows.length > namedRows ? "long" : "many";
  return head.length > narrowColumns ? `fig-table ${kind}` : "fig-table";
};

/** A table whose first column and first row are headers. */
export const DataTable = (content: TableContent): JSX.Element => {
  const { caption, head, rows } = content;
  const isNamed = classOf(content).endsWith("many");
  return (
    <Scroll label={caption}>
      <table class={classOf(content)}>
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
              {cells.map((cell, at) => (
                <td data-c={isNamed ? head[at + 1] : undefined}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};
