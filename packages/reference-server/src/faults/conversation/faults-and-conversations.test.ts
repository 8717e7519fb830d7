import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../start-server.ts";
import { askLegacy, legacyCall } from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { outputs } from "../../testing/known-outputs.ts";

let fixture: GitFixture;

beforeAll(() => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
});

afterAll(() => fixture.remove());

test.each(["html-200", "reset-before-head", "status-500", "access-token-refused", "no-answer", "gzip-garbage"])(
  "the fault %s of searches leaves conversations alone",
  async (fault) => {
    const server = await startServer({ repos: [fixture.directory], fault, outputs });
    const id = await askLegacy(server, "needle?");
    expect((await legacyCall(server, `/${id}`)).json).toMatchObject({ id });
    expect(server.journal().map(({ faultApplied }) => faultApplied)).toEqual([false, false]);
    await server.close();
  },
);
