import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type {
  LatencyResult,
  LatencyTask,
  MemoryResult,
  MemoryTask,
  ServerReady,
  ServerTask,
  SpeedResult,
  SpeedTask,
} from "./measurements.ts";

/** The scripts that measure, what each is given and what it finds. */
interface Tasks {
  readonly "speed-child.js": { readonly task: SpeedTask; readonly result: SpeedResult };
  readonly "memory-child.js": { readonly task: MemoryTask; readonly result: MemoryResult };
  readonly "latency-child.js": { readonly task: LatencyTask; readonly result: LatencyResult };
}

/** Longest time that a measurement may take before it is given up. */
const deadlineMs = 15 * 60_000;
const startMs = 60_000;

const inThisFolder = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/**
 * Runs a measurement in a process of its own, so that none meets the heap or the compiled code of another. Throws when
 * the process ends without a result, which is when a check of its own failed.
 */
export async function childTask<Script extends keyof Tasks>(
  script: Script,
  task: Tasks[Script]["task"],
): Promise<Tasks[Script]["result"]> {
  const child = fork(inThisFolder(script), [JSON.stringify(task)], { timeout: deadlineMs, execArgv: [] });
  return await new Promise((resolve, reject) => {
    let result: Tasks[Script]["result"] | undefined;
    child.on("message", (message: Tasks[Script]["result"]) => {
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

/** Hands the result to the process that asked for it. */
export function report(result: SpeedResult | MemoryResult | LatencyResult): void {
  process.send?.(result, () => process.disconnect());
}

/** A server in a process of its own, as long as `use` takes. */
export async function withServer<Result>(
  task: ServerTask,
  use: (ready: ServerReady) => Promise<Result>,
): Promise<Result> {
  const child = fork(inThisFolder("stream-server.js"), [JSON.stringify(task)], { execArgv: [] });
  try {
    const [ready]: ServerReady[] = await once(child, "message", { signal: AbortSignal.timeout(startMs) });
    if (ready === undefined) {
      throw new Error("the server of the benchmark did not start");
    }
    return await use(ready);
  } finally {
    child.kill();
  }
}
