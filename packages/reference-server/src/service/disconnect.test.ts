import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { rawSearch } from "../testing/raw-client.ts";
import { eventNamesOf, finalProgressOf, objectsIn, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

/** More output than the buffers between ripgrep and a client that does not read can hold. */
const files = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`f${index}.txt`, `needle ${"z".repeat(400)}\n`.repeat(1500)]),
);

beforeAll(async () => {
  fixture = createGitFixture({ files });
  server = await startServer({ repos: [fixture.directory] });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the search process dies when the client leaves in the middle of the stream", async () => {
  const leave = new AbortController();
  const response = await fetch(`${server.url}/.api/search/stream?q=needle+count%3Aall`, {
    headers: { authorization: `token ${server.token}` },
    signal: leave.signal,
  });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await expect.poll(() => server.searchProcesses().length).toBe(1);
  const [pid = 0] = server.searchProcesses();
  expect(isAlive(pid)).toBe(true);
  leave.abort();
  await expect.poll(() => server.searchProcesses(), { timeout: 300_000 }).toEqual([]);
  expect(isAlive(pid)).toBe(false);
  await expect.poll(() => server.journal().at(-1)?.end).toBe("client-left");
});

test("a client like EventSource gets every event and closes at done", async () => {
  const response = await fetch(`${server.url}/.api/search/stream?q=needle+file%3Af1%5C.txt`, {
    headers: { authorization: `token ${server.token}`, accept: "text/event-stream" },
  });
  const names: string[] = [];
  let unread = "";
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (unread + text).split("\n\n");
    unread = blocks.pop() ?? "";
    names.push(...blocks.map((block) => /^event: ([a-z]+)$/mu.exec(block)?.[1] ?? ""));
  }
  expect(unread).toBe("");
  expect(names.slice(0, 3)).toEqual(["filters", "matches", "progress"]);
  expect(names.at(-1)).toBe("done");
});

test("the default limit stops a search of very many results", async () => {
  const { body } = await rawSearch(server, "needle", { display: "10" });
  expect(finalProgressOf(body)).toMatchObject({ matchCount: 10_000 });
  const reasons = objectsIn(finalProgressOf(body)?.["skipped"]).map(({ reason }) => reason);
  expect(reasons).toEqual(["shard-match-limit", "display"]);
  expect(body.toString("utf8")).toContain('"queryExpression":"count:11000"');
  expect(server.searchProcesses()).toEqual([]);
});

test("a search that runs out of time reports it and suggests more time", async () => {
  const { body } = await rawSearch(server, "nothing like this timeout:0ms");
  expect(eventNamesOf(body)).toEqual(["progress", "alert", "done"]);
  expect(objectsIn(finalProgressOf(body)?.["skipped"])).toMatchObject([{ reason: "shard-timeout", severity: "warn" }]);
  expect(strictEvents(body)[1]?.data).toMatchObject({ title: "Timed out while searching" });
});
