import picocolors from "picocolors";

/** The layout of a terminal. Colour is never the only carrier of a meaning. */
export interface PageOptions {
  readonly colour: boolean;
  /** Columns of the terminal, limited to 60 to 120. */
  readonly width: number;
}

/** The layout for functions that print lines. */
export interface Page {
  readonly columns: number;
  readonly paint: ReturnType<typeof picocolors.createColors>;
}

const minColumns = 60;
const maxColumns = 120;

/** The layout for these options; 80 columns if the width is not a number. */
export const pageOf = ({ colour, width }: PageOptions): Page => ({
  columns: Number.isFinite(width) ? Math.min(maxColumns, Math.max(minColumns, Math.floor(width))) : 80,
  paint: picocolors.createColors(colour),
});
