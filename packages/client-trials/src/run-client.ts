import { HarnessError } from "@assay/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientEnd } from "@assay/results";
import { captureText, type CapturedText } from "./captured-text.ts";
import { killMarked } from "./marked-processes.ts";

/** A client to run. */
export interface ClientRun {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Texts to replace in its output; ASCII. */
  readonly secrets?: readonly string[];
  /** The client is killed after this time. */
  readonly timeoutMs: number;
  /** Time that it may run after its task is over. */
  readonly lingerMs: number;
  /** Whether its task is over. */
  readonly isOver: () => boolean;
  /** Kills the client at once. */
  readonly signal: AbortSignal;
}

/** The end and the output of a client. */
export interface RanClient {
  readonly end: ClientEnd;
  readonly out: CapturedText;
  readonly err: CapturedText;
}

type KillReason = Extract<ClientEnd, { kind: "killed" }>["why"];

const checkEveryMs = 50;
/** Time for a client to end after SIGTERM. */
const terminateMs = 300;
/**
 * Time to wait for output after the end of a client. Normally the output ends by itself; only children that could not be killed
 * keep it open.
 */
const outputEndMs = 10_000;

/** Variable that marks all processes of a client, wherever they move. */
const markName = "ASSAY_PROCESS";

/** A running client. */
interface StartedClient {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The variable with its value, unique for each client. */
  readonly mark: string;
}

/** Kills a client and everything it started. */
const killClient = ({ mark, pid }: StartedClient): void => {
  signalGroup(pid, "SIGKILL");
  killMarked(mark);
};

const running = new Set<StartedClient>();
const killAll = (): void => {
  for (const started of running) {
    killClient(started);
  }
};

/** Sends a signal to a process group; does nothing if it is gone. */
const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
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

/** Resolves with the reason to kill a client, or with undefined when it ends before. */
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
    await wait(checkEveryMs, undefined, { signal: ended }).catch(() => undefined);
  }
  return undefined;
};

const exitOf = (child: ChildProcess): ClientEnd =>
  child.signalCode === null
    ? { kind: "exited", status: child.exitCode ?? 0 }
    : { kind: "signalled", signal: child.signalCode };

/** Waits for the end of a client, and kills it if necessary. */
const endOf = async ({ child, pid }: StartedClient, run: ClientRun): Promise<ClientEnd> => {
  const ended = new AbortController();
  const exited = once(child, "exit").then(() => ended.abort());
  const why = await killReason(run, ended.signal);
  if (why !== undefined) {
    signalGroup(pid, "SIGTERM");
    await Promise.race([exited, wait(terminateMs)]);
    signalGroup(pid, "SIGKILL");
  }
  await exited;
  return why === undefined ? exitOf(child) : { kind: "killed", why };
};

/**
 * Runs a client in its own process group until it ends, its deadline, or some time after the end of its task. Kills the rest of the
 * group, and on Linux everything with its environment. Reads all output and keeps part of it. Throws HarnessError if the program
 * does not exist.
 */
export const runClient = async (run: ClientRun): Promise<RanClient> => {
  const out = captureText(run.secrets);
  const err = captureText(run.secrets);
  const started = await start(run);
  const { child } = started;
  if (running.size === 0) {
    // Kills the clients even if this process exits early.
    process.once("exit", killAll);
  }
  running.add(started);
  child.stdout?.on("data", (piece: Buffer) => out.add(piece));
  child.stderr?.on("data", (piece: Buffer) => err.add(piece));
  const closed = once(child, "close");
  const late = new AbortController();
  try {
    const end = await endOf(started, run);
    // Ends everything the client started.
    killClient(started);
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
