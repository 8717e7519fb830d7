import { type ChildProcess, spawn } from "node:child_process";
import type { OutputCache } from "./output-cache.ts";
import type { ProcessPool } from "./process-pool.ts";

export interface ProcessOptions {
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
  readonly errorOutput: string;
}

const waitForEnd = (child: ChildProcess): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    let errorOutput = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errorOutput = (errorOutput + text).slice(0, maxErrorCharacters);
    });
    child.once("error", (error) => {
      errorOutput ||= error.message;
      if (child.pid === undefined) {
        resolve({ code: 2, errorOutput });
      }
    });
    child.once("close", (code) => resolve({ code, errorOutput }));
  });

/** Reports whether a process failed: it was killed (no code), or it printed an error and returned a code above 1. */
const isFailure = ({ code, errorOutput }: ProcessEnd): boolean =>
  code === null || (code > 1 && errorOutput.trim() !== "");

const startProcess = ({ args, cwd, env = {}, file, input, signal }: ProcessOptions): ChildProcess => {
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

async function* readOutput(run: ProcessOptions): AsyncGenerator<Buffer> {
  const { file, pool, signal } = run;
  const child = startProcess(run);
  const { pid = 0 } = child;
  pool.addProcess(pid);
  const processEnd = waitForEnd(child);
  try {
    for await (const chunk of child.stdout ?? []) {
      yield chunk;
    }
    const end = await processEnd;
    if (!signal.aborted && isFailure(end)) {
      throw new ProcessError(end.errorOutput.trim() || `${file} was killed`);
    }
  } finally {
    child.kill("SIGKILL");
    await processEnd;
    pool.removeProcess(pid);
  }
}

/** Like `runProcess`, without the cache, so that a process whose output is no longer read is killed. */
export async function* runUncachedProcess(run: ProcessOptions): AsyncGenerator<Buffer> {
  const release = await run.pool.acquire(run.signal);
  try {
    yield* readOutput(run);
  } finally {
    release();
  }
}

/** Returns the cache key of a process. Processes with equal keys have equal outputs unless files change. */
const createCacheKey = ({ file, args, cwd, input }: ProcessOptions): string => JSON.stringify([file, args, cwd, input]);

/**
 * Reads the whole output before it is used. Otherwise a search with enough results would end the process early, and the output could not
 * be cached.
 */
async function collectOutput(run: ProcessOptions, store: (output: readonly Buffer[]) => void) {
  const output: Buffer[] = [];
  for await (const chunk of runUncachedProcess(run)) {
    output.push(chunk);
  }
  // A killed process has printed only part of its output.
  if (!run.signal.aborted) {
    store(output);
  }
  return output;
}

/** Returns the output of an equal process that has ended or is running. If there is none, or if it fails or is killed, runs the process. */
async function findOrCollectOutput(run: ProcessOptions, outputs: OutputCache): Promise<readonly Buffer[]> {
  const { running } = run.pool;
  const key = createCacheKey(run);
  const equalProcess = running.get(key);
  if (equalProcess !== undefined) {
    await equalProcess.catch(() => undefined);
  }
  const cachedOutput = outputs.find(key);
  if (cachedOutput !== undefined) {
    return cachedOutput;
  }
  const collecting = collectOutput(run, (output) => outputs.store(key, output));
  running.set(key, collecting);
  return collecting.finally(() => running.delete(key));
}

/**
 * Yields the standard output of a process as it arrives. Does not use a shell. The process has exited once iteration ends. Throws
 * ProcessError if it fails with a message. With a cache, returns the output of an equal process. A process without cached output runs to
 * its end.
 */
export async function* runProcess(run: ProcessOptions): AsyncGenerator<Buffer> {
  const { outputs } = run.pool;
  yield* outputs === undefined ? runUncachedProcess(run) : await findOrCollectOutput(run, outputs);
}
