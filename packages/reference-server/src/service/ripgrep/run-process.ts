import { type ChildProcess, spawn } from "node:child_process";
import type { OutputMemory } from "./output-memory.ts";
import type { ProcessPool } from "./process-pool.ts";

export interface ProcessRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables beyond those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; absent means none. */
  readonly input?: string;
  /** Kills the process; the output then simply ends. */
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
}

/** A process failed. The message is what it wrote to standard error. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
}

const maxComplaintCharacters = 4000;

interface Ended {
  readonly code: number | null;
  readonly complaint: string;
}

const endOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, maxComplaintCharacters);
    });
    child.once("error", (error) => {
      complaint ||= error.message;
      if (child.pid === undefined) {
        resolve({ code: 2, complaint });
      }
    });
    child.once("close", (code) => resolve({ code, complaint }));
  });

/** No code at all means that somebody killed the process; a code of 2 or more counts only with a complaint. */
const isFailure = ({ code, complaint }: Ended): boolean => code === null || (code > 1 && complaint.trim() !== "");

const start = ({ args, cwd, env = {}, file, input, signal }: ProcessRun): ChildProcess => {
  const child = spawn(file, args, {
    cwd,
    signal,
    killSignal: "SIGKILL",
    windowsHide: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  // A process that ends early closes its input; the reason is in its exit code.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return child;
};

async function* outputOf(run: ProcessRun): AsyncGenerator<Buffer> {
  const { file, pool, signal } = run;
  const child = start(run);
  const { pid = 0 } = child;
  pool.remember(pid);
  const ended = endOf(child);
  try {
    for await (const chunk of child.stdout ?? []) {
      yield chunk;
    }
    const end = await ended;
    if (!signal.aborted && isFailure(end)) {
      throw new ProcessError(end.complaint.trim() || `${file} was ended by somebody else`);
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
    pool.forget(pid);
  }
}

async function* started(run: ProcessRun): AsyncGenerator<Buffer> {
  const release = await run.pool.acquire(run.signal);
  try {
    yield* outputOf(run);
  } finally {
    release();
  }
}

/** What makes two processes print the same, while the files they read do not change. */
const keyOf = ({ file, args, cwd, input }: ProcessRun): string => JSON.stringify([file, args, cwd, input]);

/** All of it, before any of it is used: a search that has enough would end the process, and nothing could be kept. */
async function collected(run: ProcessRun, outputs: OutputMemory): Promise<readonly Buffer[]> {
  const output: Buffer[] = [];
  for await (const chunk of started(run)) {
    output.push(chunk);
  }
  // A killed process has printed less than an equal one would.
  if (!run.signal.aborted) {
    outputs.keep(keyOf(run), output);
  }
  return output;
}

/**
 * Standard output of one process, as it comes; never through a shell. The process is dead when the iteration has ended,
 * however it ended. Throws ProcessError when it fails with a complaint. A pool with a memory tells what an equal process
 * printed, and lets each end the first time.
 */
export async function* runProcess(run: ProcessRun): AsyncGenerator<Buffer> {
  const { outputs } = run.pool;
  yield* outputs === undefined ? started(run) : (outputs.recall(keyOf(run)) ?? (await collected(run, outputs)));
}
