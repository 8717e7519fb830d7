import picocolors from "picocolors";

/** Terminal layout options. Meaning is never conveyed by colour alone. */
export interface TerminalLayoutOptions {
  readonly colour: boolean;
  /** Terminal width in columns. Clamped to 60–120; 80 if it is not a number. */
  readonly width: number;
}

/** The layout that functions use to print lines. */
export interface TerminalLayout {
  readonly columns: number;
  readonly paint: ReturnType<typeof picocolors.createColors>;
}

const minColumns = 60;
const maxColumns = 120;

/** Creates the layout for these options. */
export const createTerminalLayout = ({ colour, width }: TerminalLayoutOptions): TerminalLayout => ({
  columns: Number.isFinite(width) ? Math.min(maxColumns, Math.max(minColumns, Math.floor(width))) : 80,
  paint: picocolors.createColors(colour),
});
