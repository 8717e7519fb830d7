import picocolors from "picocolors";

/** The layout of a terminal. Meaning is never conveyed by colour alone. */
export interface PageOptions {
  readonly colour: boolean;
  /** Columns of the terminal, from 60 to 120. */
  readonly width: number;
}

/** The layout options of functions that print lines. */
export interface Page {
  readonly columns: number;
  readonly paint: ReturnType<typeof picocolors.createColors>;
}

const minColumns = 60;
const maxColumns = 120;

/** Creates the layout for these options, with 80 columns if the width is not a number. */
export const createPage = ({ colour, width }: PageOptions): Page => ({
  columns: Number.isFinite(width) ? Math.min(maxColumns, Math.max(minColumns, Math.floor(width))) : 80,
  paint: picocolors.createColors(colour),
});
