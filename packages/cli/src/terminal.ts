/** Properties of the terminal, read once from the process and its variables. */
export interface Terminal {
  /** Whether colours are used on standard output. Source: NO_COLOR, FORCE_COLOR. */
  readonly colour: boolean;
  /** Columns of standard output: at least 60, and 100 if it is not a terminal. */
  readonly width: number;
  /** Current columns of standard error; 80 if it is not a terminal. */
  readonly errorColumns: number;
  /** Whether standard error is a terminal whose lines may be rewritten. */
  readonly isTty: boolean;
  readonly isCi: boolean;
}

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface TerminalSource {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
}

const minWidth = 60;
const maxWidth = 120;
const defaultWidth = 100;
const defaultErrorColumns = 80;

const isSet = (value: string | undefined): boolean => value !== undefined && value !== "";

const readForcedColour = (value: string | undefined): boolean | undefined =>
  isSet(value) ? value !== "0" && value !== "false" : undefined;

/** Reads the current terminal. */
export function readTerminal({ env, stdout, stderr }: TerminalSource): Terminal {
  return {
    colour: readForcedColour(env["FORCE_COLOR"]) ?? (stdout.isTTY === true && !isSet(env["NO_COLOR"])),
    width: Math.min(maxWidth, Math.max(minWidth, stdout.columns || defaultWidth)),
    get errorColumns() {
      return stderr.columns || defaultErrorColumns;
    },
    isTty: stderr.isTTY === true,
    isCi: isSet(env["CI"]),
  };
}
