import type { ComponentChildren, JSX } from "preact";
import { Scroll } from "../page/page-section.tsx";

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

/** A table whose first column and first row are headers. */
export const DataTable = ({ caption, head, rows }: TableContent): JSX.Element => (
  <Scroll label={caption}>
    <table class={head.length > narrowColumns ? "fig-table many" : "fig-table"}>
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
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
