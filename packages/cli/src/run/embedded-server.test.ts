import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeError } from "../command-error.ts";
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

test.each([
  ["an error that nothing catches", 'throw new Error("no room")', "no room"],
  ["an exit", "process.exit(3)", "its thread exited with code 3"],
])("a server that ends by %s is reported once, after the run", async (_cause, statement, reason) => {
  const file = join(folder, `${reason.replaceAll(" ", "-")}.mjs`);
  const answer = 'parentPort.postMessage({ ok: true, value: { url: "http://127.0.0.1:9" } });';
  // It ends only once its answer has arrived: Node may pass on an error before a message that was sent earlier.
  const signal = `${file}.ends`;
  const crash = `setInterval(() => { if (existsSync(${JSON.stringify(signal)})) { ${statement}; } }, 5);`;
  const imports = 'import { existsSync } from "node:fs";\nimport { parentPort } from "node:worker_threads";';
  writeFileSync(file, `${imports}\n${answer}\n${crash}\n`);
  const server = await startEmbeddedServer({ repos: [folder] }, pathToFileURL(file));
  writeFileSync(signal, "");
  const error = await server.close().catch((thrown: unknown) => thrown);
  expect(describeError(error, {})).toEqual({
    message: `this is a bug in assay: Error: the embedded server stopped during the run: ${reason}; set ASSAY_DEBUG=1 for a stack trace, and please report it`,
    exitCode: 70,
  });
});
