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
  /** Kills the client immediately. */
  readonly signal: AbortSignal;
}

/** The end and the output of a client. */
export interface ClientResult {
  readonly end: ClientEnd;
  readonly out: CapturedText;
  readonly err: CapturedText;
}

type KillReason = Extract<ClientEnd, { kind: "killed" }>["why"];

const checkIntervalMs = 50;
/** Time for a client to exit after SIGTERM. */
const maxTerminateMs = 300;
/**
 * Time to wait for output after a client has exited. Normally the output ends by itself. Only children that could not be killed keep it
 * open.
 */
const maxOutputWaitMs = 10_000;

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

const runningClients = new Set<StartedClient>();
const killAll = (): void => {
  for (const client of runningClients) {
    killClient(client);
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

const createStartError = (program: string, cause: NodeJS.ErrnoException): HarnessError => {
  const { code = "unknown reason" } = cause;
  const quotedProgram = JSON.stringify(program);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `program ${quotedProgram} not found in the search path or at that path, or its working folder no longer exists`,
    EACCES: `the file ${quotedProgram} is not executable; make it executable, or put its interpreter before it`,
  };
  const reason = reasons[code] ?? `the program ${quotedProgram} cannot be started (${code})`;
  return new HarnessError("client-not-started", `${reason}; pass the command of your client after \`--\``, { cause });
};

const startClient = async ({ command, cwd, env }: ClientRun): Promise<StartedClient> => {
  const [program = "", ...args] = command;
  const id = randomUUID();
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [markName]: id },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await once(child, "spawn").catch((error: NodeJS.ErrnoException) => {
    throw createStartError(program, error);
  });
  return { child, pid: child.pid ?? 0, mark: `${markName}=${id}` };
};

/** Resolves with the reason to kill a client, or with undefined if it exits first. */
const findKillReason = async (run: ClientRun, exitSignal: AbortSignal): Promise<KillReason | undefined> => {
  const startedAtMs = performance.now();
  let overAtMs: number | undefined;
  while (!exitSignal.aborted) {
    const nowMs = performance.now();
    overAtMs ??= run.isOver() ? nowMs : undefined;
    if (run.signal.aborted) {
      return "interrupted";
    }
    if (overAtMs !== undefined && nowMs - overAtMs >= run.lingerMs) {
      return "lingering";
    }
    if (nowMs - startedAtMs >= run.timeoutMs) {
      return "deadline";
    }
    await wait(checkIntervalMs, undefined, { signal: exitSignal }).catch(() => undefined);
  }
  return undefined;
};

const describeExit = (child: ChildProcess): ClientEnd =>
  child.signalCode === null
    ? { kind: "exited", status: child.exitCode ?? 0 }
    : { kind: "signalled", signal: child.signalCode };

/** Waits until a client exits, and kills it if necessary. */
const waitForEnd = async ({ child, pid }: StartedClient, run: ClientRun): Promise<ClientEnd> => {
  const exitController = new AbortController();
  const exitPromise = once(child, "exit").then(() => exitController.abort());
  const killReason = await findKillReason(run, exitController.signal);
  if (killReason !== undefined) {
    signalGroup(pid, "SIGTERM");
    await Promise.race([exitPromise, wait(maxTerminateMs)]);
    signalGroup(pid, "SIGKILL");
  }
  await exitPromise;
  return killReason === undefined ? describeExit(child) : { kind: "killed", why: killReason };
};

/**
 * Runs a client in a separate process group until it exits, or until its deadline, or until some time after the end of its task. Then kills
 * the rest of the group and, on Linux, all processes with its mark. Reads all output and keeps part of it. Throws a `HarnessError` if the
 * program does not exist.
 */
export const runClient = async (run: ClientRun): Promise<ClientResult> => {
  const out = captureText(run.secrets);
  const err = captureText(run.secrets);
  const client = await startClient(run);
  const { child } = client;
  if (runningClients.size === 0) {
    // Also kills the clients if this process exits early.
    process.once("exit", killAll);
  }
  runningClients.add(client);
  child.stdout?.on("data", (piece: Buffer) => out.add(piece));
  child.stderr?.on("data", (piece: Buffer) => err.add(piece));
  const closePromise = once(child, "close");
  const outputTimeout = new AbortController();
  try {
    const end = await waitForEnd(client, run);
    // Kills all processes that the client started.
    killClient(client);
    await Promise.race([
      closePromise,
      wait(maxOutputWaitMs, undefined, { signal: outputTimeout.signal }).catch(() => undefined),
    ]);
    return { end, out, err };
  } finally {
    outputTimeout.abort();
    child.stdout?.destroy();
    child.stderr?.destroy();
    runningClients.delete(client);
    if (runningClients.size === 0) {
      process.off("exit", killAll);
    }
  }
};
