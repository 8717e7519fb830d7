import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Longest time that a measurement may take before it is given up. */
const deadlineMs = 15 * 60_000;

/**
 * Runs a script of this folder in a process of its own, so that no measurement meets the heap or the compiled code of
 * another, and returns the one message it sends. Throws when it ends without one.
 */
export async function childTask<Task extends object, Result>(script: string, task: Task): Promise<Result> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(task)], { timeout: deadlineMs });
  return await new Promise((resolve, reject) => {
    let result: Result | undefined;
    child.on("message", (message: Result) => {
      result = message;
    });
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0 && result !== undefined) {
        resolve(result);
      } else {
        reject(new Error(`${script} ${JSON.stringify(task)} ended with ${code}`));
      }
    });
  });
}

/** The task that this process was started with. */
export const givenTask = <Task>(): Task => JSON.parse(process.argv[2] ?? "null");

/** Hands the result to the process that asked for it. */
export function report(result: object): void {
  process.send?.(result);
  process.disconnect();
}

/** A server of this folder in a process of its own, as long as `use` takes. */
export async function withServer<Task extends object, Ready, Result>(
  task: Task,
  use: (ready: Ready) => Promise<Result>,
): Promise<Result> {
  const child: ChildProcess = fork(fileURLToPath(new URL("stream-server.js", import.meta.url)), [JSON.stringify(task)]);
  try {
    const [ready]: Ready[] = await once(child, "message", { signal: AbortSignal.timeout(60_000) });
    if (ready === undefined) {
      throw new Error("the server of the benchmark did not start");
    }
    return await use(ready);
  } finally {
    child.kill();
  }
}
