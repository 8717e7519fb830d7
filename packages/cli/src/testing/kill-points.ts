import { mkdirSync, watch } from "node:fs";
import { startAssay } from "./assay-process.ts";
import type { Ended } from "./assay-process.ts";

/** How a command ended that was watched, and how often the folder it writes to had changed by then. */
export interface Watched {
  readonly ended: Ended;
  readonly changes: number;
}

/**
 * Runs a command and ends it with SIGKILL when the folder it writes to has changed so often, or lets it run to its end. A moment
 * of its work and not of the clock: it is the same on a machine that is busy.
 */
export async function killedAtChange(
  args: readonly string[],
  { cwd, folder, change = Infinity }: { readonly cwd: string; readonly folder: string; readonly change?: number },
): Promise<Watched> {
  mkdirSync(folder);
  let changes = 0;
  let reached: () => void = () => undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    changes += 1;
    if (changes >= change) {
      reached();
    }
  });
  const running = startAssay(args, { cwd });
  reached = () => running.kill("SIGKILL");
  if (change === 0) {
    reached();
  }
  const ended = await running.ended;
  watcher.close();
  return { ended, changes };
}
