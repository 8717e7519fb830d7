import { createProgress, noProgress } from "@assay/report";
import type { Progress } from "@assay/report";
import type { CommandContext } from "./command-context.ts";

/** Returns a progress display on standard error, if `isWanted`. */
export const startProgress = (
  isWanted: boolean,
  { terminal, err }: Pick<CommandContext, "terminal" | "err">,
): Progress =>
  isWanted
    ? createProgress({ write: err, isLive: terminal.isTty && !terminal.isCi, columns: () => terminal.errorColumns })
    : noProgress;
