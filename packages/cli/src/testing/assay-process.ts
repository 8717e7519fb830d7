import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));

/** How a process ended. */
export interface Ended {
  /** `null` when a signal ended it, also the one that a missed deadline sends. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly cwd: string;
  /** Variables besides the path; nothing else is handed down. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input [empty]. */
  readonly input?: string | Uint8Array;
  /** The process is killed after this time [240,000], which is enough for any call on a busy machine. */
  readonly deadlineMs?: number;
  /** The largest file it may write, in blocks of 1,024 bytes: a disk that fills up. */
  readonly fileBlocks?: number;
}

/** A running `assay`. */
export interface AssayProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  kill(signal: NodeJS.Signals): void;
  /** Closes the output like a reader that ends. */
  closeOutputs(): void;
  /** Resolves with the first line of standard output; fails when there is none. */
  readonly firstLine: () => Promise<string>;
  /** Polls until a condition is true. Fails if the process ends first. */
  readonly until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts the built command in a process of its own. */
export function startAssay(args: readonly string[], options: ProcessOptions): AssayProcess {
  const { cwd, env = {}, input = "", deadlineMs = 240_000, fileBlocks } = options;
  const [program, ...before] =
    fileBlocks === undefined
      ? [process.execPath]
      : ["bash", "-c", `ulimit -f ${fileBlocks}; exec "$@"`, "bash", process.execPath];
  const child = spawn(program, [...before, bin, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
    stdio: "pipe",
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
  // A process that does not read its input to the end is no failure.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const pieces: Record<"out" | "err", Buffer[]> = { out: [], err: [] };
  const text = (name: "out" | "err"): string => Buffer.concat(pieces[name]).toString();
  child.stdout.on("data", (piece: Buffer) => pieces.out.push(piece));
  child.stderr.on("data", (piece: Buffer) => pieces.err.push(piece));
  const ended = once(child, "close").then((): Ended => {
    clearTimeout(deadline);
    return { code: child.exitCode, signal: child.signalCode, out: text("out"), err: text("err") };
  });
  const endedEarly = (): Error =>
    new Error(`the process ended and printed ${JSON.stringify([text("out"), text("err")])}`);
  const firstLine = async (): Promise<string> => {
    while (!text("out").includes("\n")) {
      const isOver = await Promise.race([once(child.stdout, "data").then(() => false), ended.then(() => true)]);
      if (isOver) {
        throw endedEarly();
      }
    }
    return text("out").split("\n", 1)[0] ?? "";
  };
  const until: AssayProcess["until"] = async (holds) => {
    while (!(await holds())) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw endedEarly();
      }
      await wait(5);
    }
  };
  return {
    pid: child.pid,
    kill: (signal) => void child.kill(signal),
    closeOutputs() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    firstLine,
    until,
    ended,
  };
}

/** Runs the built command to its end. */
export const assay = (args: readonly string[], options: ProcessOptions): Promise<Ended> =>
  startAssay(args, options).ended;
