import { describe, expect, onTestFinished, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { startEmbeddedServer } from "./embedded-server.ts";

const folder = temporaryFolder();
const compiled = new URL("../../dist/bundle/server-thread.js", import.meta.url);

describe.each([
  ["in a worker", compiled],
  ["in this thread, because no worker is compiled", new URL("none.js", compiled)],
])("an embedded server %s", (_where, program) => {
  test("answers until it is closed", async () => {
    const server = await startEmbeddedServer({ repos: [sharedRepository()], seed: 1, sharing: false }, program);
    onTestFinished(() => server.close());
    const search = async (): Promise<number> => {
      const headers = { authorization: `token ${server.tokens.access}` };
      const response = await fetch(`${server.url}/.api/search/stream?q=test`, { headers });
      await response.text();
      return response.status;
    };
    expect([await search(), server.access, server.sharing]).toEqual([200, "private", false]);
    await server.close();
    await expect(search()).rejects.toThrow("fetch failed");
  });

  test("fails with the reason", async () => {
    await expect(startEmbeddedServer({ repos: [folder] }, program)).rejects.toMatchObject({
      code: "not-a-work-tree",
      sentence: expect.stringContaining(folder),
    });
  });
});
