import picocolors from "picocolors";

/** How a page for a terminal is laid out. Colours never carry meaning alone. */
export interface PageOptions {
  readonly colour: boolean;
  /** Columns of the terminal; less than 60 is taken as 60, more than 120 as 120. */
  readonly width: number;
}

/** The layout handed to everything that makes lines. */
export interface Page {
  readonly columns: number;
  readonly paint: ReturnType<typeof picocolors.createColors>;
}

const narrowest = 60;
const widest = 120;

/** The page for these options; a width that is no number is taken as 80. */
export const pageOf = ({ colour, width }: PageOptions): Page => ({
  columns: Number.isFinite(width) ? Math.min(widest, Math.max(narrowest, Math.floor(width))) : 80,
  paint: picocolors.createColors(colour),
});
