import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failedAt, streamAt } from "../testing/load-fixtures.ts";
import { runFolder } from "../testing/run-folder.ts";
import { createUnderWayReader } from "./under-way.ts";

const told = async (...lines: readonly unknown[]) => {
  const path = join(await runFolder(""), "under-way.ndjson");
  const tell = (next: readonly unknown[]): Promise<void> =>
    writeFile(path, next.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  await tell(lines);
  return { reader: createUnderWayReader(path), tell };
};
const at = (nowMs: number, atWork = 3) => ({ assay: "under-way", version: 1, nowMs, atWork });
const waiting = (planMs: number, nowMs: number) => failedAt(planMs, "canceled", { endMs: nowMs });

test("unfinished streams are returned with the times seen so far", async () => {
  const begun = { ...waiting(200, 2000), headersMs: 300 };
  const { reader } = await told(at(2000), waiting(100, 2000), begun);
  expect(await reader.read()).toEqual({ busyUsers: 3, streams: [waiting(100, 2000), begun] });
});

test("finished streams are left out, also if they ended a moment before", async () => {
  const { reader, tell } = await told(at(2000), waiting(100, 2000), waiting(200, 2000), waiting(300, 2000));
  reader.exclude(streamAt(100, { endMs: 1999 }));
  reader.exclude(streamAt(200, { endMs: 2001 }));
  expect((await reader.read())?.streams).toEqual([waiting(300, 2000)]);
  await tell([at(3000), waiting(200, 3000), waiting(300, 3000)]);
  expect((await reader.read())?.streams).toEqual([waiting(300, 3000)]);
});

test.each([
  { name: "nothing", lines: [] },
  { name: "no header", lines: [waiting(100, 2000)] },
  { name: "another header", lines: [{ assay: "samples", version: 1, nowMs: 1, atWork: 1 }] },
  { name: "nonsense", lines: ["{", "x"] },
])("$name has no streams", async ({ lines }) => {
  const { reader } = await told(...lines);
  expect(await reader.read()).toBeUndefined();
});

test("a missing file has no streams", async () => {
  const reader = createUnderWayReader(join(await runFolder(""), "nothing"));
  expect(await reader.read()).toBeUndefined();
});

test("lines that are not streams are ignored", async () => {
  const { reader } = await told(at(2000), "x", waiting(100, 2000), "{}");
  expect(await reader.read()).toEqual({ busyUsers: 3, streams: [waiting(100, 2000)] });
});
