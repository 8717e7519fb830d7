import { parentPort } from "node:worker_threads";
import { createOutputCache, startServer } from "@assay/reference-server";
import type { ServerOptions } from "@assay/reference-server";
import type { EmbeddedServer } from "./embedded-server.ts";
import { toStepResult } from "./worker-messages.ts";

// The worker that runs the embedded server, so that it searches while the main thread records responses.
async function start(options: ServerOptions): Promise<Omit<EmbeddedServer, "close">> {
  const server = await startServer({ ...options, outputs: createOutputCache() });
  // The second and last message of the main thread asks to close.
  parentPort?.once("message", () => void server.close());
  const { url, tokens, access, sharing } = server;
  return { url, tokens, access, sharing };
}

parentPort?.once("message", (options: ServerOptions) => {
  void toStepResult(start(options)).then((result) => parentPort?.postMessage(result, []));
});
