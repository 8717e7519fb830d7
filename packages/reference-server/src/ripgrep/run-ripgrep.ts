import { type ChildProcess, spawn } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import type { ProcessPool } from "./process-pool.ts";

export interface RipgrepRun {
  /** Everything after the common options; patterns by `-e`, then `--`, then paths. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** Text to search instead of files. */
  readonly input?: string;
  /** Kills the process; the output then simply ends. */
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
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

const mostComplaintCharacters = 4000;

interface Ended {
  readonly code: number | null;
  readonly complaint: string;
}

const endOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, mostComplaintCharacters);
    });
    child.once("error", (error) => {
      complaint ||= error.message;
      if (child.pid === undefined) {
        resolve({ code: 2, complaint });
      }
    });
    child.once("close", (code) => resolve({ code, complaint }));
  });

/** Exit code 2 without a complaint means that a file vanished; no code at all, that somebody killed the process. */
const isFailure = ({ code, complaint }: Ended): boolean => code === null || (code > 1 && complaint.trim() !== "");

async function* outputOf({ args, cwd, input, pool, signal }: RipgrepRun): AsyncGenerator<Buffer> {
  const child = spawn(rgPath, [...commonOptions, ...args], {
    cwd,
    signal,
    killSignal: "SIGKILL",
    windowsHide: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const { pid = 0 } = child;
  pool.remember(pid);
  const ended = endOf(child);
  // A process that ends early closes its input; the reason is in its exit code.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  try {
    for await (const chunk of child.stdout ?? []) {
      yield chunk;
    }
    const end = await ended;
    if (!signal.aborted && isFailure(end)) {
      throw new RipgrepError(end.complaint.trim() || "ripgrep was ended by somebody else");
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
    pool.forget(pid);
  }
}

/**
 * Standard output of one ripgrep process, as it comes; never through a shell. The process is dead when the iteration has
 * ended, however it ended. Throws RipgrepError when ripgrep complains; files that vanished are no complaint.
 */
export async function* runRipgrep(run: RipgrepRun): AsyncGenerator<Buffer> {
  const release = await run.pool.acquire(run.signal);
  try {
    yield* outputOf(run);
  } finally {
    release();
  }
}
