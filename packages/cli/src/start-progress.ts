import { createProgress, noProgress } from "@assay/report";
import type { Progress } from "@assay/report";
import type { CommandContext } from "./command-context.ts";

/** Starts a progress display on standard error. Shows nothing unless `isEnabled`. */
export const startProgress = (
  isEnabled: boolean,
  { terminal, err }: Pick<CommandContext, "terminal" | "err">,
): Progress =>
  isEnabled
    ? createProgress({ write: err, isLive: terminal.isTty && !terminal.isCi, columns: () => terminal.errorColumns })
    : noProgress;
