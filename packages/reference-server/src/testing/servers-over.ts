import type { RunningServer, ServerOptions } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import type { GitFixture } from "./git-fixture.ts";
import { outputs } from "./known-outputs.ts";

type WithServer = <Value>(
  options: Omit<ServerOptions, "repos">,
  use: (server: RunningServer) => Promise<Value>,
) => Promise<Value>;

/** Starts servers over one shared repository; each is closed after its use. */
export const serversOver =
  (fixture: () => GitFixture, usual: Omit<ServerOptions, "repos"> = {}): WithServer =>
  async (options, use) => {
    const server = await startServer({ repos: [fixture().directory], outputs, ...usual, ...options });
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  };
