import { appendFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerFile, openLedger, readLedger } from "./ledger.ts";
import { temporaryFolder, testRun } from "./testing/driven-run.ts";

const creation = { marker: testRun, interface: "legacy", credential: "access-token" } as const;
const nowMs = (): number => Date.parse("2026-03-01T12:00:00Z");
const at = "2026-03-01T12:00:00.000Z";

describe("a ledger", () => {
  test("has the outcome of each creation, both in memory and on disk", async () => {
    await using folder = await temporaryFolder();
    const ledger = await openLedger(join(folder.path, "new"), { nowMs });
    const keys = await Promise.all([1, 2, 3, 4].map(() => ledger.recordIntent(creation)));
    await Promise.all([
      ledger.recordCreated(keys[0]!, "12"),
      ledger.recordCreated(keys[1]!, "13"),
      ledger.recordNothing(keys[2]!),
    ]);
    await ledger.recordDeleted(keys[1]!);
    await ledger.close();
    const entry = { ...creation, at, state: "open" };
    expect(ledger.entries()).toEqual([
      { ...entry, key: "1", id: "12" },
      { ...entry, key: "2", id: "13", state: "deleted" },
      { ...entry, key: "3", state: "nothing" },
      { ...entry, key: "4" },
    ]);
    expect(await readLedger(join(folder.path, "new"))).toEqual(ledger.entries());
    expect((await stat(join(folder.path, "new", ledgerFile))).mode & 0o777).toBe(0o600);
  });

  test("has the intention on disk before the call is sent", async () => {
    await using folder = await temporaryFolder();
    const ledger = await openLedger(folder.path, { nowMs });
    await ledger.recordIntent(creation);
    expect(await readLedger(folder.path)).toEqual([{ ...creation, key: "1", at, state: "open" }]);
    await ledger.close();
  });

  test("continues an older one that was cut off in the middle of a line", async () => {
    await using folder = await temporaryFolder();
    const first = await openLedger(folder.path);
    await first.recordIntent(creation);
    await first.close();
    await appendFile(join(folder.path, ledgerFile), '{"event":"made","key":"1","id":"1');
    const second = await openLedger(folder.path);
    expect(await second.recordIntent(creation)).toBe("2");
    await second.recordDeleted("1");
    await second.close();
    expect((await readLedger(folder.path))?.map(({ key, state, id }) => [key, state, id])).toEqual([
      ["1", "deleted", undefined],
      ["2", "open", undefined],
    ]);
  });

  test("keeps an id with a secret only in memory", async () => {
    await using folder = await temporaryFolder();
    const ledger = await openLedger(folder.path, { redact: (text) => text.replaceAll("hunter2", "*******") });
    const key = await ledger.recordIntent({ ...creation, interface: "current" });
    await ledger.recordCreated(key, "users/hunter2/conversations/1");
    await ledger.close();
    expect(ledger.entries()[0]?.id).toBe("users/hunter2/conversations/1");
    expect(await readFile(join(folder.path, ledgerFile), "utf8")).not.toContain("hunter2");
  });

  test("refuses a run id that may occur in ordinary text", async () => {
    await using folder = await temporaryFolder();
    const ledger = await openLedger(folder.path);
    await expect(ledger.recordIntent({ ...creation, marker: "a" })).rejects.toThrow(/marker/);
    await ledger.close();
  });
});

describe("a ledger that cannot be written", () => {
  test("is refused in one sentence", async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "file"), "");
    await expect(openLedger(join(folder.path, "file"))).rejects.toMatchObject({
      name: "HarnessError",
      code: "disk-failed",
    });
  });

  test("because it was removed fails at the next line", async () => {
    await using folder = await temporaryFolder();
    const ledger = await openLedger(folder.path);
    await rm(join(folder.path, ledgerFile));
    await expect(ledger.recordIntent(creation)).rejects.toMatchObject({ name: "HarnessError", code: "folder-removed" });
    await ledger.close();
  });
});

describe("reading a ledger", () => {
  test("of a folder without one returns undefined", async () => {
    await using folder = await temporaryFolder();
    expect([await readLedger(folder.path), await readLedger(join(folder.path, "no"))]).toEqual([undefined, undefined]);
  });

  const intent = { event: "intent", key: "k", at, ...creation };
  test.each([
    { name: "an id that climbs", lines: [intent, { event: "made", key: "k", id: "../../x" }], ids: [undefined] },
    { name: "a long id", lines: [intent, { event: "made", key: "k", id: "1".repeat(400) }], ids: [undefined] },
    { name: "an empty marker", lines: [{ ...intent, marker: "" }], ids: [] },
    { name: "a marker that is a sentence", lines: [{ ...intent, marker: "the who of all" }], ids: [] },
    { name: "another interface", lines: [{ ...intent, interface: "stream" }], ids: [] },
    { name: "an unknown credential", lines: [{ ...intent, credential: "sgp_123" }], ids: [] },
    { name: "a key that every JavaScript object has", lines: [{ ...intent, key: "__proto__" }], ids: [undefined] },
    { name: "an id before its intention", lines: [{ event: "made", key: "k", id: "1" }, intent], ids: [undefined] },
    { name: "other values", lines: [null, 7, [], "x", { event: "deleted" }, intent], ids: [undefined] },
    { name: "a repeated key", lines: [intent, { event: "made", key: "k", id: "5" }, intent], ids: ["5"] },
  ])("with $name ignores anything harmful", async ({ lines, ids }) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, ledgerFile), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect((await readLedger(folder.path))?.map(({ id }) => id)).toEqual(ids);
  });

  test("that is far too large is refused", async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, ledgerFile), Buffer.alloc(16 * 1024 * 1024 + 1, "\n"));
    await expect(readLedger(folder.path)).rejects.toMatchObject({ code: "too-large" });
  });
});
