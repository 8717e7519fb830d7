import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Built with the bundle of the command, because a worker starts from a compiled file. */
export const compiledServerUrl = new URL("../bundle/server-thread.js", import.meta.url);

let preparedThread: Worker | undefined;

/** Starts the thread of the embedded server, so that it loads its code while this thread loads the command. Does nothing in sources. */
export function prepareServerThread(): void {
  if (preparedThread === undefined && existsSync(compiledServerUrl)) {
    const worker = new Worker(compiledServerUrl);
    // A command that needs no server ends without it. If the thread fails, the next one fails with the reason.
    worker.unref();
    worker.once("error", () => (preparedThread = undefined));
    preparedThread = worker;
  }
}

/** Returns the prepared thread, or a new one. It waits for its options. */
export function takeServerThread(): Worker {
  const worker = preparedThread ?? new Worker(compiledServerUrl);
  preparedThread = undefined;
  worker.ref();
  return worker;
}

/** Flags and variables that select another target, or no run at all. */
const otherTargets = {
  flags: /^(?:-h|--help|--url|--target)(?:=|$)/u,
  variables: ["SRC_ENDPOINT", "ASSAY_URL", "ASSAY_TARGET"],
};

/** Reports whether a run probably uses the embedded server. A configuration can still select another target. */
export const mayUseEmbeddedServer = (args: readonly string[], env: NodeJS.ProcessEnv): boolean =>
  !args.some((arg) => otherTargets.flags.test(arg)) && otherTargets.variables.every((name) => env[name] === undefined);
