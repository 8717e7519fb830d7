import { afterAll, beforeAll } from "vitest";
import type { RunningServer, ServerOptions } from "../server-options.ts";
import { createGitFixture, type GitFixture } from "./git-fixture.ts";
import { serversOver } from "./servers-over.ts";

type WithFault = <Value>(
  fault: NonNullable<ServerOptions["fault"]>,
  use: (server: RunningServer) => Promise<Value>,
) => Promise<Value>;

/** Starts servers with a fault, one for each use, over one shared repository of one file. */
export function serversWithFault(): WithFault {
  let fixture: GitFixture;
  beforeAll(() => {
    fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  });
  afterAll(() => fixture.remove());
  const withServer = serversOver(() => fixture, { seed: 1 });
  return (fault, use) => withServer({ fault }, use);
}
