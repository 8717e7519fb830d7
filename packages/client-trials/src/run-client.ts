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
  /** Program and arguments. Started without a shell. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Texts to replace in its output. ASCII. */
  readonly secrets?: readonly string[];
  /** The client is killed after this time. */
  readonly timeoutMs: number;
  /** Time that it may run after its task is over. */
  readonly lingerMs: number;
  /** Reports whether its task is over. */
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
/** Time for a client to exit after SIGTERM. */
const terminateMs = 300;
/**
 * Time to wait for output after a client has exited. Normally the output ends by itself. Only children that could not be killed keep it
 * open.
 */
const outputEndMs = 10_000;

/** Variable that marks all processes of a client, even in other process groups. */
const markName = "ASSAY_PROCESS";

/** A running client. */
interface StartedClient {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The variable with its value, unique for each client. */
  readonly mark: string;
}

/** Kills a client and all processes it started. */
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

/** Sends a signal to a process group. Has no effect if the group no longer exists. */
const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group no longer exists.
  }
};

const startError = (program: string, cause: NodeJS.ErrnoException): HarnessError => {
  const { code = "unknown reason" } = cause;
  const quotedProgram = JSON.stringify(program);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `there is no program ${quotedProgram} in the search path or at that path, or its working folder no longer exists`,
    EACCES: `the file ${quotedProgram} is not executable; make it executable, or put its interpreter before it`,
  };
  const reason = reasons[code] ?? `the program ${quotedProgram} cannot be started (${code})`;
  return new HarnessError("client-not-started", `${reason}; pass the command of your client after \`--\``, { cause });
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

/** Resolves with the reason to kill a client, or with undefined if it exits first. */
const findKillReason = async (run: ClientRun, ended: AbortSignal): Promise<KillReason | undefined> => {
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

const describeExit = (child: ChildProcess): ClientEnd =>
  child.signalCode === null
    ? { kind: "exited", status: child.exitCode ?? 0 }
    : { kind: "signalled", signal: child.signalCode };

/** Waits until a client exits, and kills it if necessary. */
const waitForEnd = async ({ child, pid }: StartedClient, run: ClientRun): Promise<ClientEnd> => {
  const ended = new AbortController();
  const exited = once(child, "exit").then(() => ended.abort());
  const killReason = await findKillReason(run, ended.signal);
  if (killReason !== undefined) {
    signalGroup(pid, "SIGTERM");
    await Promise.race([exited, wait(terminateMs)]);
    signalGroup(pid, "SIGKILL");
  }
  await exited;
  return killReason === undefined ? describeExit(child) : { kind: "killed", why: killReason };
};

/**
 * Runs a client in a separate process group until it exits, or until its deadline, or until some time after the end of its task. Then kills
 * the rest of the group and, on Linux, all processes with its mark. Reads all output and keeps part of it. Throws a `HarnessError` if the
 * program does not exist.
 */
export const runClient = async (run: ClientRun): Promise<RanClient> => {
  const out = captureText(run.secrets);
  const err = captureText(run.secrets);
  const started = await start(run);
  const { child } = started;
  if (running.size === 0) {
    // Also kills the clients if this process exits early.
    process.once("exit", killAll);
  }
  running.add(started);
  child.stdout?.on("data", (piece: Buffer) => out.add(piece));
  child.stderr?.on("data", (piece: Buffer) => err.add(piece));
  const closed = once(child, "close");
  const late = new AbortController();
  try {
    const end = await waitForEnd(started, run);
    // Kills all processes that the client started.
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
