import { createProgress, noProgress } from "@assay/report";
import type { Progress } from "@assay/report";
import type { CommandContext } from "./command-context.ts";

/** Returns a progress display on standard error, if `isWanted`. */
export const startProgress = (
  isEnabled: boolean,
  { terminal, err }: Pick<CommandContext, "terminal" | "err">,
): Progress =>
  isEnabled
    ? createProgress({ write: err, isLive: terminal.isTty && !terminal.isCi, columns: () => terminal.errorColumns })
    : noProgress;
