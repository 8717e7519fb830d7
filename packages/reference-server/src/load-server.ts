import type { RunningServer, ServerOptions } from "./server-options.ts";

/**
 * Starts a reference server. What it is made of is loaded when the first one starts: a process that only wants to know the
 * faults, or to talk to another server, begins sooner. Fails with `HarnessError`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = await import("./start-server.ts");
  return server.startServer(options);
}
