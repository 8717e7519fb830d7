import { rgPath } from "@vscode/ripgrep";
import { ProcessError, type ProcessRun, runProcess } from "./run-process.ts";

export interface RipgrepRun extends Omit<ProcessRun, "file" | "env"> {
  /** Arguments after the common options: patterns by `-e`, then `--`, then paths. */
  readonly args: readonly string[];
  /** Text to search instead of files. */
  readonly input?: string;
}

/** ripgrep rejected its arguments (an invalid pattern) or could not run. The message is ripgrep's. */
export class RipgrepError extends Error {
  override readonly name = "RipgrepError";
}

/**
 * One thread keeps the given order of paths. Raw bytes (`none`) and no memory maps keep offsets correct and treat every file the
 * same when detecting binary files.
 */
const commonOptions = ["--no-config", "--no-messages", "--threads", "1", "--no-mmap", "--encoding", "none"];

/**
 * Standard output of a ripgrep process as it arrives; never through a shell. The process has ended when the iteration ends, for
 * whatever reason. Throws RipgrepError if ripgrep reports an error; vanished files are not an error.
 */
export async function* runRipgrep(run: RipgrepRun): AsyncGenerator<Buffer> {
  try {
    yield* runProcess({ ...run, file: rgPath, args: [...commonOptions, ...run.args] });
  } catch (error) {
    throw error instanceof ProcessError ? new RipgrepError(error.message, { cause: error }) : error;
  }
}
