import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { createOutputCache, startServer } from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import { compiledServerUrl, takeServerThread } from "./prepared-server-thread.ts";
import { receiveAnswer, restoreError } from "./worker-messages.ts";

/** A reference server that was started for a run. After a crash it refuses connections, and `close` rejects with the reason. */
export type EmbeddedServer = Pick<RunningServer, "url" | "tokens" | "access" | "sharing" | "close">;

/**
 * Starts a server in a worker, so that it searches while this thread records responses. Runs in this thread with a given cache, and without
 * a compiled worker. A run repeats equal searches and compares their results, which must be from the same state of the repositories, so
 * their outputs are cached. Throws `HarnessError`.
 */
export async function startEmbeddedServer(
  options: ServerOptions,
  program: URL = compiledServerUrl,
): Promise<EmbeddedServer> {
  if (options.outputs !== undefined || !existsSync(program)) {
    return startServer({ outputs: createOutputCache(), ...options });
  }
  const worker = program === compiledServerUrl ? takeServerThread() : new Worker(program);
  let crash: Error | undefined;
  const recordCrash = (reason: string, cause?: unknown): void => {
    crash ??= new Error(`the embedded server stopped during the run: ${reason}`, { cause });
  };
  worker.on("error", (error: unknown) => recordCrash(error instanceof Error ? error.message : String(error), error));
  // From the start, because a thread can exit together with its answer, before this function continues.
  const exit = new Promise<void>((resolve) => {
    worker.once("exit", (code) => {
      if (code !== 0) {
        recordCrash(`its thread exited with code ${code}`);
      }
      resolve();
    });
  });
  worker.postMessage(options, []);
  const answer = await receiveAnswer<Omit<EmbeddedServer, "close">>(worker);
  if (!answer.ok) {
    await worker.terminate();
    throw restoreError(answer.error);
  }
  return {
    ...answer.value,
    async close() {
      worker.postMessage("close", []);
      await exit;
      if (crash !== undefined) {
        throw crash;
      }
    },
  };
}
