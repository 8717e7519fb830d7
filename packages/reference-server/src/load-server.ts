import type { RunningServer, ServerOptions } from "./server-options.ts";

/**
 * Starts a reference server. Loads its modules on the first call, so that processes that only need the list of faults start faster.
 * Throws `HarnessError`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = await import("./start-server.ts");
  return server.startServer(options);
}
