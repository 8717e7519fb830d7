import { HarnessError } from "@assay/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientEnd } from "@assay/results";
import { captureText, type CapturedText } from "./captured-text.ts";
import { killMarked } from "./marked-processes.ts";

/** A client that is to be run. */
export interface ClientRun {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What is replaced in all that it writes; ASCII. */
  readonly secrets?: readonly string[];
  /** After this time the client is killed. */
  readonly timeoutMs: number;
  /** How long it may go on once its task is over. */
  readonly lingerMs: number;
  /** Whether there is nothing left to do for it. */
  readonly isOver: () => boolean;
  /** Kills it at once. */
  readonly signal: AbortSignal;
}

/** How it ended and what it wrote. */
export interface RanClient {
  readonly end: ClientEnd;
  readonly out: CapturedText;
  readonly err: CapturedText;
}

type KillReason = Extract<ClientEnd, { kind: "killed" }>["why"];

const lookEveryMs = 50;
/** What a client may take to end in good order when it is told to. */
const politeMs = 300;
/**
 * How long output is waited for after the end of a client. It ends by itself, however late this process reads it; only children that could not be
 * ended can keep it open.
 */
const outputEndMs = 10_000;

/** The variable by which processes of one client are known, wherever they went. */
const markName = "ASSAY_PROCESS";

/** A client that was started. */
interface StartedClient {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The variable and its value, which no other client has. */
  readonly mark: string;
}

/** Ends a client and all that it started. */
const killWhole = ({ mark, pid }: StartedClient): void => {
  signalGroup(pid, "SIGKILL");
  killMarked(mark);
};

const running = new Set<StartedClient>();
const killAll = (): void => {
  for (const started of running) {
    killWhole(started);
  }
};

/** Sends a signal to a process and to all of its group; nothing happens where they are gone. */
const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
};

const startError = (program: string, cause: NodeJS.ErrnoException): HarnessError => {
  const { code = "unknown reason" } = cause;
  const shown = JSON.stringify(program);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `there is no program ${shown} in the search path or at that place, or its working folder is gone`,
    EACCES: `the file ${shown} may not be run; make it executable, or name its interpreter before it`,
  };
  const reason = reasons[code] ?? `the program ${shown} cannot be started (${code})`;
  return new HarnessError("client-not-started", `${reason}; give the command of your client after \`--\`.`, { cause });
};

const start = async ({ command, cwd, env }: ClientRun): Promise<StartedClient> => {
  const [program = "", ...args] = command;
  const id = randomUUID();
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [markName]: id },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await once(child, "spawn").catch((error: NodeJS.ErrnoException) => {
    throw startError(program, error);
  });
  return { child, pid: child.pid ?? 0, mark: `${markName}=${id}` };
};

/** Resolves with the reason for which a client is to be killed; never when it ends before. */
const killReason = async (run: ClientRun, ended: AbortSignal): Promise<KillReason | undefined> => {
  const startedAt = performance.now();
  let overAt: number | undefined;
  while (!ended.aborted) {
    const now = performance.now();
    overAt ??= run.isOver() ? now : undefined;
    if (run.signal.aborted) {
      return "interrupted";
    }
    if (overAt !== undefined && now - overAt >= run.lingerMs) {
      return "lingering";
    }
    if (now - startedAt >= run.timeoutMs) {
      return "deadline";
    }
    await wait(lookEveryMs, undefined, { signal: ended }).catch(() => undefined);
  }
  return undefined;
};

const exitOf = (child: ChildProcess): ClientEnd =>
  child.signalCode === null
    ? { kind: "exited", status: child.exitCode ?? 0 }
    : { kind: "signalled", signal: child.signalCode };

/** Waits for the end of a client, brought about if need be. */
const endOf = async ({ child, pid }: StartedClient, run: ClientRun): Promise<ClientEnd> => {
  const ended = new AbortController();
  const exited = once(child, "exit").then(() => ended.abort());
  const why = await killReason(run, ended.signal);
  if (why !== undefined) {
    signalGroup(pid, "SIGTERM");
    await Promise.race([exited, wait(politeMs)]);
    signalGroup(pid, "SIGKILL");
  }
  await exited;
  return why === undefined ? exitOf(child) : { kind: "killed", why };
};

/**
 * Runs a client in a process group of its own, to its end: by itself, at its deadline, or some time after its task was over.
 * Nothing of the group is left, and on Linux nothing else of what it started with its environment. What it writes is read to
 * the end and kept in part. Fails with HarnessError when there is no such program.
 */
export const runClient = async (run: ClientRun): Promise<RanClient> => {
  const out = captureText(run.secrets);
  const err = captureText(run.secrets);
  const started = await start(run);
  const { child } = started;
  if (running.size === 0) {
    // What ends this process without a word to anybody still ends the clients.
    process.once("exit", killAll);
  }
  running.add(started);
  child.stdout?.on("data", (piece: Buffer) => out.add(piece));
  child.stderr?.on("data", (piece: Buffer) => err.add(piece));
  const closed = once(child, "close");
  const late = new AbortController();
  try {
    const end = await endOf(started, run);
    // Whatever it started ends with it.
    killWhole(started);
    await Promise.race([closed, wait(outputEndMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    return { end, out, err };
  } finally {
    late.abort();
    child.stdout?.destroy();
    child.stderr?.destroy();
    running.delete(started);
    if (running.size === 0) {
      process.off("exit", killAll);
    }
  }
};
