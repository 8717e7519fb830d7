import { rgPath } from "@vscode/ripgrep";
import { ProcessError, type ProcessRun, runProcess } from "./run-process.ts";

export interface RipgrepRun extends Omit<ProcessRun, "file" | "env"> {
  /** Everything after the common options; patterns by `-e`, then `--`, then paths. */
  readonly args: readonly string[];
  /** Text to search instead of files. */
  readonly input?: string;
}

/** ripgrep refused its arguments (a pattern that is no regular expression) or could not run. The message is its own. */
export class RipgrepError extends Error {
  override readonly name = "RipgrepError";
}

/**
 * One thread keeps the order of the paths as given; raw bytes (`none`) and no memory maps keep offsets true and make the detection of
 * binary files the same for every file.
 */
const commonOptions = ["--no-config", "--no-messages", "--threads", "1", "--no-mmap", "--encoding", "none"];

/**
 * Standard output of one ripgrep process, as it comes; never through a shell. The process is dead when the iteration has
 * ended, however it ended. Throws RipgrepError when ripgrep complains; files that vanished are no complaint.
 */
export async function* runRipgrep(run: RipgrepRun): AsyncGenerator<Buffer> {
  try {
    yield* runProcess({ ...run, file: rgPath, args: [...commonOptions, ...run.args] });
  } catch (error) {
    throw error instanceof ProcessError ? new RipgrepError(error.message, { cause: error }) : error;
  }
}
