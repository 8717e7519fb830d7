import { parentPort, workerData } from "node:worker_threads";
import { createOutputCache, startServer } from "@assay/reference-server";
import type { ServerOptions } from "@assay/reference-server";
import type { EmbeddedServer } from "./embedded-server.ts";
import { toStepResult } from "./worker-messages.ts";

// The worker that runs the embedded server, so that it searches while the main thread records responses.
const options: ServerOptions = workerData;

async function start(): Promise<Omit<EmbeddedServer, "close">> {
  const server = await startServer({ ...options, outputs: createOutputCache() });
  // The only message of the main thread asks to close.
  parentPort?.once("message", () => void server.close());
  const { url, tokens, access, sharing } = server;
  return { url, tokens, access, sharing };
}

void toStepResult(start()).then((result) => parentPort?.postMessage(result, []));
