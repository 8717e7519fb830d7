import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { ClientError } from "./client-error.ts";

const maxOutputBytes = 64 * 1024;

const failed = (what: string): ClientError =>
  new ClientError("token-source-failed", `the token command ${what}; run it by hand to see why`);

/** The shell and whatever it started: a child of the shell would keep the pipe open otherwise. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? Number.NaN), "SIGKILL");
  } catch {
    // It has ended by itself in the meantime; there is nothing to stop.
    return;
  }
}

/**
 * What a shell command prints, at most 64 KiB. Neither the command, which may hold a secret, nor its output appears in a
 * message; its standard error is not shown. Fails with `token-source-failed` when it cannot be started, ends with
 * another exit code than 0, prints too much or takes longer than `timeoutMs`; it is stopped then.
 */
export function outputOfCommand(
  command: string,
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd?: string | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore"], detached: true, cwd });
    const pieces: Buffer[] = [];
    const stop = (what: string): void => {
      clearTimeout(timer);
      killGroup(child);
      reject(failed(what));
    };
    const timer = setTimeout(() => stop(`did not end within ${timeoutMs} ms`), timeoutMs);
    child.stdout.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (pieces.reduce((sum, { length }) => sum + length, 0) > maxOutputBytes) {
        stop(`printed more than ${maxOutputBytes} bytes`);
      }
    });
    child.on("error", () => stop("could not be started"));
    child.on("close", (code, signal) => {
      if (code === 0) {
        clearTimeout(timer);
        resolve(Buffer.concat(pieces).toString("utf8"));
      } else {
        stop(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`);
      }
    });
  });
}
