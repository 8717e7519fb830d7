import { afterAll, beforeAll } from "vitest";
import type { RunningServer, ServerOptions } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "./git-fixture.ts";
import { outputs } from "./known-outputs.ts";

type WithFault = <Value>(
  fault: NonNullable<ServerOptions["fault"]>,
  use: (server: RunningServer) => Promise<Value>,
) => Promise<Value>;

/** Servers with a fault, one for each use, over a repository of one file that the tests of this file share. */
export function serversWithFault(): WithFault {
  let fixture: GitFixture;
  beforeAll(() => {
    fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  });
  afterAll(() => fixture.remove());
  return async (fault, use) => {
    const server = await startServer({ repos: [fixture.directory], seed: 1, fault, outputs });
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  };
}
