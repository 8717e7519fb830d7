import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type LoadRunFile, loadRunFile, readLoadRunFile, writeLoadRunFile } from "./load-run-file.ts";

const [one, two] = ["http://one.test", "http://two.test"];
const known = { files: [], startedAt: "2026-01-31T12:00:00Z", targets: { base: one, head: two } };
const file: LoadRunFile = { assay: "load-run", version: 1, runId: "x", targets: [one, two], embedded: false, known };

test("the file of a load run is read as it was written", async () => {
  const folder = temporaryFolder();
  await writeLoadRunFile(folder, file);
  expect(await readLoadRunFile(folder)).toEqual(file);
});

test("the known failures of an earlier version are read by side", async () => {
  const folder = temporaryFolder();
  const earlier = { ...file, known: { ...known, targets: { a: one, b: two } } };
  writeFileSync(join(folder, loadRunFile), JSON.stringify(earlier));
  expect(await readLoadRunFile(folder)).toEqual(file);
});

test.each(["", "{", JSON.stringify({ ...file, known: { ...known, targets: {} } })])(
  "%j is no such file",
  async (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, loadRunFile), text);
    expect(await readLoadRunFile(folder)).toBeUndefined();
  },
);
