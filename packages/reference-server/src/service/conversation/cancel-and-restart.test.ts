import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import { askLegacy, currentCall, lastQuestion, legacyCall } from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock, type HeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";

let small: GitFixture;
let large: GitFixture;
let folder: string;

beforeAll(() => {
  small = createGitFixture({ files: { "a.ts": "needle\n" } });
  // Enough matching lines to keep ripgrep busy for long.
  const line = `${"needlework ".repeat(9)}\n`;
  large = createGitFixture({
    files: Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`f${index}.txt`, line.repeat(60_000)])),
  });
  folder = mkdtempSync(join(tmpdir(), "restart-"));
});

afterAll(() => {
  small.remove();
  large.remove();
  rmSync(folder, { recursive: true, force: true });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const releasedClock = (): HeldClock => {
  const clock = createHeldClock();
  clock.release();
  return clock;
};

const cancel = (server: RunningServer, id: number) =>
  currentCall(server, "CancelConversation", { body: { name: `users/~self/conversations/${id}` } });

const remove = (server: RunningServer, id: number) => legacyCall(server, `/${id}`, { method: "DELETE" });

test.each([
  { name: "cancelled", end: cancel },
  { name: "deleted", end: remove },
])("the search process of a question dies when it is $name", async ({ end }) => {
  const server = await startServer({ repos: [large.directory], clock: releasedClock() });
  const id = await askLegacy(server, "Where are needlework and needlework needle together?");
  await vi.waitFor(() => expect(server.searchProcesses()).toHaveLength(1), { timeout: 300_000, interval: 1 });
  const [pid = 0] = server.searchProcesses();
  expect(isAlive(pid)).toBe(true);
  expect((await end(server, id)).status).toBe(200);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 300_000, interval: 1 });
  await expect.poll(() => server.questionsInProgress()).toBe(0);
  expect(server.searchProcesses()).toEqual([]);
  await server.close();
});

test("closing the server ends the work on questions", async () => {
  const server = await startServer({ repos: [large.directory], clock: releasedClock() });
  await askLegacy(server, "needlework");
  await vi.waitFor(() => expect(server.searchProcesses()).toHaveLength(1), { timeout: 300_000, interval: 1 });
  const [pid = 0] = server.searchProcesses();
  await server.close();
  expect(isAlive(pid)).toBe(false);
});

test("a question in progress is answered after a restart, and a cancelled one is not", async () => {
  const options = { repos: [small.directory], database: join(folder, "restart.db"), seed: 4, outputs };
  const first = await startServer({ ...options, clock: createHeldClock() });
  const kept = await askLegacy(first, "needle?");
  const cancelled = await askLegacy(first, "needle again?");
  await cancel(first, cancelled);
  await first.close();
  const second = await startServer({ ...options, clock: releasedClock() });
  expect(second.conversationCount()).toBe(2);
  await expect.poll(() => second.questionsInProgress()).toBe(0);
  const questionOf = async (id: number) => lastQuestion((await legacyCall(second, `/${id}`)).json);
  expect(await questionOf(kept)).toMatchObject({ status: "completed", answer: expect.stringContaining("a.ts") });
  expect(await questionOf(cancelled)).toMatchObject({ status: "completed", error: { kind: "Cancelled" } });
  await second.close();
});

test("conversations in memory end with the server", async () => {
  const first = await startServer({ repos: [small.directory], outputs });
  await askLegacy(first, "needle?");
  expect(first.conversationCount()).toBe(1);
  await first.close();
  const second = await startServer({ repos: [small.directory], outputs });
  expect(second.conversationCount()).toBe(0);
  await second.close();
});

test("a question about a removed repository ends in an internal error", async () => {
  const gone = createGitFixture({ files: { "a.ts": "needle\n" } });
  const server = await startServer({ repos: [gone.directory], clock: releasedClock() });
  gone.remove();
  const id = await askLegacy(server, "needle?");
  await expect.poll(() => server.questionsInProgress()).toBe(0);
  expect(lastQuestion((await legacyCall(server, `/${id}`)).json)).toMatchObject({
    status: "completed",
    error: { kind: "InternalError", message: expect.not.stringContaining("/") },
  });
  await server.close();
});

test("the server does not start with a database that cannot be opened", async () => {
  const starting = startServer({ repos: [small.directory], database: join(folder, "no", "such.db"), outputs });
  await expect(starting).rejects.toMatchObject({ code: "cannot-open-database" });
});
