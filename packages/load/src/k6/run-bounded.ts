import { defined } from "@assay/contract";
import { spawn } from "node:child_process";
import { killOnExit, signalGroup } from "./process-group.ts";

/** A program to run with a timeout. */
export interface BoundedCall {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Standard input; empty by default. */
  readonly input?: string;
  readonly cwd?: string;
}

/**
 * The end of a program: `exit` if it exited, `timeout` if it was killed after `timeoutMs`, and `not-started` if it could
 * not be started.
 */
export type BoundedEnd =
  | { readonly kind: "exit"; readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "not-started"; readonly reason: string };

const maxOutputLength = 1_048_576;

/** Collects the text of a stream, at most 1 MiB. */
const collectText = (stream: NodeJS.ReadableStream | null): (() => string) => {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk.slice(0, maxOutputLength - text.length);
  });
  return () => text;
};

/** Runs a program in its own process group, and kills the group after the timeout. Never throws. */
export const runBounded = async (call: BoundedCall): Promise<BoundedEnd> =>
  new Promise((resolve) => {
    const child = spawn(call.path, call.args, {
      env: call.env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      ...defined({ cwd: call.cwd }),
    });
    const stdout = collectText(child.stdout);
    const stderr = collectText(child.stderr);
    const cancelKill = killOnExit(child);
    const settle = (end: BoundedEnd): void => {
      clearTimeout(timer);
      cancelKill();
      resolve(end);
    };
    const timer = setTimeout(() => {
      signalGroup(child, "SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      settle({ kind: "timeout" });
    }, call.timeoutMs);
    child.on("error", (cause) => {
      settle({ kind: "not-started", reason: "code" in cause ? String(cause.code) : cause.message });
    });
    child.on("close", (exitCode) => {
      settle({ kind: "exit", exitCode: exitCode ?? undefined, stdout: stdout(), stderr: stderr() });
    });
    // A program that does not read its input closes it early. The broken pipe is not an error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(call.input ?? "");
  });
