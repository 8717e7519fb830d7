import { type ChildProcess, spawn } from "node:child_process";
import type { OutputMemory } from "./output-memory.ts";
import type { ProcessPool } from "./process-pool.ts";

export interface ProcessRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. Absent for an empty one. */
  readonly input?: string;
  /** Kills the process. The output then ends without an error. */
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
}

/** A process failed. The message is its standard error. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
}

const maxErrorCharacters = 4000;

interface ProcessEnd {
  readonly code: number | null;
  readonly complaint: string;
}

const waitForEnd = (child: ChildProcess): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, maxErrorCharacters);
    });
    child.once("error", (error) => {
      complaint ||= error.message;
      if (child.pid === undefined) {
        resolve({ code: 2, complaint });
      }
    });
    child.once("close", (code) => resolve({ code, complaint }));
  });

/** Reports whether a process failed. It was killed if it has no code. A code of 2 or more is a failure only with a message. */
const isFailure = ({ code, complaint }: ProcessEnd): boolean => code === null || (code > 1 && complaint.trim() !== "");

const startProcess = ({ args, cwd, env = {}, file, input, signal }: ProcessRun): ChildProcess => {
  const child = spawn(file, args, {
    cwd,
    signal,
    killSignal: "SIGKILL",
    windowsHide: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  // A process that ends early closes its input. Its exit code shows the reason.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return child;
};

async function* readOutput(run: ProcessRun): AsyncGenerator<Buffer> {
  const { file, pool, signal } = run;
  const child = startProcess(run);
  const { pid = 0 } = child;
  pool.remember(pid);
  const processEnd = waitForEnd(child);
  try {
    for await (const chunk of child.stdout ?? []) {
      yield chunk;
    }
    const end = await processEnd;
    if (!signal.aborted && isFailure(end)) {
      throw new ProcessError(end.complaint.trim() || `${file} was killed`);
    }
  } finally {
    child.kill("SIGKILL");
    await processEnd;
    pool.forget(pid);
  }
}

async function* runInPool(run: ProcessRun): AsyncGenerator<Buffer> {
  const release = await run.pool.acquire(run.signal);
  try {
    yield* readOutput(run);
  } finally {
    release();
  }
}

/** Returns the cache key of a process. Processes with equal keys have equal outputs unless files change. */
const createCacheKey = ({ file, args, cwd, input }: ProcessRun): string => JSON.stringify([file, args, cwd, input]);

/**
 * Reads the whole output before it is used. Otherwise a search with enough results would end the process early, and the output could not
 * be cached.
 */
async function collectOutput(run: ProcessRun, outputs: OutputMemory): Promise<readonly Buffer[]> {
  const output: Buffer[] = [];
  for await (const chunk of runInPool(run)) {
    output.push(chunk);
  }
  // A killed process has printed only part of its output.
  if (!run.signal.aborted) {
    outputs.keep(createCacheKey(run), output);
  }
  return output;
}

/**
 * Yields the standard output of a process as it arrives. Does not use a shell. The process has exited once iteration ends. Throws
 * ProcessError if it fails with a message. With a cache, returns the cached output of an equal process. A process without cached output
 * runs to its end.
 */
export async function* runProcess(run: ProcessRun): AsyncGenerator<Buffer> {
  const { outputs } = run.pool;
  yield* outputs === undefined
    ? runInPool(run)
    : (outputs.recall(createCacheKey(run)) ?? (await collectOutput(run, outputs)));
}
