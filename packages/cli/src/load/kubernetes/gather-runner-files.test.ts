import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listKeptFiles } from "@assay/evidence";
import { readLedger } from "@assay/runner";
import { gatherRunnerFiles } from "./gather-runner-files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-gather-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeRunner = (name: string, files: Readonly<Record<string, string>>): string => {
  const path = join(folder, "runners", name);
  mkdirSync(join(path, "exchanges"), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(path, file), text);
  }
  return path;
};

const counts = (sent: number, halvings: number): string =>
  JSON.stringify({ groups: { search: { sent, kept: sent - 1, thinnedOut: 1, lost: 0, halvings } } });

test("exchanges and their counts are those of all runners", async () => {
  const runners = [
    writeRunner("a-1", { "exchanges/search-00.bin": "one", "exchanges/counts.json": counts(10, 0) }),
    writeRunner("a-2", { "exchanges/search-00.bin": "two", "exchanges/counts.json": counts(32, 2) }),
  ];
  await gatherRunnerFiles(folder, runners);
  const files = listKeptFiles(join(folder, "exchanges"));
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["one", "two"]);
  expect(JSON.parse(readFileSync(join(folder, "exchanges/counts.json"), "utf8"))).toEqual({
    assay: "exchange-counts",
    version: 1,
    groups: { search: { sent: 42, kept: 40, thinnedOut: 2, lost: 0, halvings: 2 } },
  });
});

test("without the counts of one runner there are no counts, so the judgement reports that exchanges may be missing", async () => {
  const runners = [
    writeRunner("a-1", { "exchanges/search-00.bin": "one", "exchanges/counts.json": counts(10, 0) }),
    writeRunner("a-2", { "exchanges/search-00.bin": "two" }),
  ];
  await gatherRunnerFiles(folder, runners);
  expect(readdirSync(join(folder, "exchanges"))).toEqual(["0001-search-00.bin", "0002-search-00.bin"]);
});

test("open conversations of all runners are in one ledger, also those of a runner that was killed", async () => {
  const intent = (key: string): string =>
    JSON.stringify({
      event: "intent",
      key,
      at: "2026-01-01T00:00:00.000Z",
      marker: "assay-marker-1",
      interface: "current",
      credential: "access-token",
    });
  const made = (key: string, id: string): string => JSON.stringify({ event: "made", key, id });
  const deleted = (key: string): string => JSON.stringify({ event: "deleted", key });
  const runners = [
    writeRunner("a-1", {
      "ledger.ndjson": `${intent("1")}\n${made("1", "users/1/conversations/1")}\n${deleted("1")}\n`,
    }),
    writeRunner("a-2", { "ledger.ndjson": `${intent("1")}\n${made("1", "users/1/conversations/2")}\n{"event":"ma` }),
  ];
  await gatherRunnerFiles(folder, runners);
  const entries = (await readLedger(folder)) ?? [];
  expect(entries.map(({ key, state }) => [key, state])).toEqual([
    ["runner-1-1", "deleted"],
    ["runner-2-1", "open"],
  ]);
});

test("runners without exchanges and conversations leave no such files", async () => {
  await gatherRunnerFiles(folder, [join(folder, "runners/a-1")]);
  expect(existsSync(join(folder, "exchanges"))).toBe(false);
  expect(existsSync(join(folder, "ledger.ndjson"))).toBe(false);
});
