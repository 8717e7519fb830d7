import { Buffer } from "node:buffer";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scanForSecrets } from "./scan-for-secrets.ts";

const value = "canary-0123456789";
const secrets = [{ name: "ASSAY_TOKEN", value }];
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-scan-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  { name: "the value", content: `ab${value}`, offset: 2 },
  { name: "base64", content: Buffer.from(`xyz${value}`).toString("base64"), offset: 4 },
  { name: "hexadecimal", content: `--${Buffer.from(value).toString("hex").toUpperCase()}`, offset: 2 },
])("finds $name in a file below the folder", async ({ content, offset }) => {
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep", "a.txt"), content);
  expect(await scanForSecrets(folder, secrets)).toEqual([
    { file: join("deep", "a.txt"), secret: "ASSAY_TOKEN", where: "content", offset },
  ]);
});

test("finds a value across two reads", async () => {
  const offset = 4 * 1024 * 1024 - 5;
  writeFileSync(
    join(folder, "big"),
    Buffer.concat([Buffer.alloc(offset, 0x61), Buffer.from(value), Buffer.alloc(100)]),
  );
  expect(await scanForSecrets(folder, secrets)).toMatchObject([{ file: "big", offset }]);
});

test("finds a value in the name of a file", async () => {
  writeFileSync(join(folder, `x-${value}.log`), "");
  expect(await scanForSecrets(folder, secrets)).toMatchObject([{ where: "name", offset: 2 }]);
});

test("finds nothing in clean files and does not follow links", async () => {
  writeFileSync(join(folder, "clean"), "nothing here");
  symlinkSync("/proc/self/environ", join(folder, "link"));
  expect(await scanForSecrets(folder, secrets)).toEqual([]);
});

test("throws without a folder", async () => {
  await expect(scanForSecrets(join(folder, "none"), secrets)).rejects.toThrow(/^folder-removed: /);
});

test("scans again files that changed or are not known to be clean", async () => {
  const clean = new Map<string, string>();
  writeFileSync(join(folder, "one"), "nothing");
  writeFileSync(join(folder, "two"), value);
  const scanned = async (): Promise<readonly string[]> =>
    (await scanForSecrets(folder, secrets, { clean })).map(({ file }) => file);
  expect([await scanned(), [...clean.keys()]]).toEqual([["two"], ["one"]]);
  writeFileSync(join(folder, "one"), `now ${value}`);
  expect(await scanned()).toEqual(["one", "two"]);
});

test("skips a clean file that has not changed", async () => {
  const clean = new Map<string, string>();
  writeFileSync(join(folder, "one"), "nothing");
  await scanForSecrets(folder, secrets, { clean });
  const other = [{ name: "other", value: "nothing" }];
  expect([await scanForSecrets(folder, other), await scanForSecrets(folder, other, { clean })]).toMatchObject([
    [{ file: "one" }],
    [],
  ]);
});

test("ends when aborted, with the reason", async () => {
  writeFileSync(join(folder, "one"), "nothing");
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(scanForSecrets(folder, secrets, { signal })).rejects.toThrow("enough");
});
