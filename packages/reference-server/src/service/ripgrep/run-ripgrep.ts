import { rgPath } from "@vscode/ripgrep";
import { ProcessError, type ProcessOptions, runProcess } from "./run-process.ts";

export interface RipgrepOptions extends Omit<ProcessOptions, "file" | "env"> {
  /** Arguments after the common options: patterns with `-e`, then `--`, then paths. */
  readonly args: readonly string[];
  /** Text to search instead of files. */
  readonly input?: string;
}

/** ripgrep rejected its arguments (an invalid pattern) or could not run. The message is ripgrep's. */
export class RipgrepError extends Error {
  override readonly name = "RipgrepError";
}

/**
 * A single thread preserves the order of paths. Raw bytes (`none`) and disabled memory maps keep offsets correct and make the detection of
 * binary files consistent.
 */
const commonOptions = ["--no-config", "--no-messages", "--threads", "1", "--no-mmap", "--encoding", "none"];

/**
 * Yields the standard output of a ripgrep process as it arrives. Does not use a shell. The process has exited once iteration ends. Throws
 * RipgrepError if ripgrep reports an error. Files that no longer exist are not an error.
 */
export async function* runRipgrep(run: RipgrepOptions): AsyncGenerator<Buffer> {
  try {
    yield* runProcess({ ...run, file: rgPath, args: [...commonOptions, ...run.args] });
  } catch (error) {
    throw error instanceof ProcessError ? new RipgrepError(error.message, { cause: error }) : error;
  }
}
