import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAtomically } from "./write-atomically.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-whole-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("writing a whole file", () => {
  test("replaces the old file, and leaves nothing else", async () => {
    const path = join(folder, "a");
    const text = "ä\n".repeat(500_000);
    await writeAtomically(path, "old");
    await writeAtomically(path, text);
    expect([readFileSync(path, "utf8") === text, readdirSync(folder), statSync(path).mode & 0o777]).toEqual([
      true,
      ["a"],
      0o600,
    ]);
  });

  test("never replaces a pipe or a device", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    await expect(writeAtomically(path, "x")).rejects.toMatchObject({ code: "not-writable" });
    expect([lstatSync(path).isFIFO(), readdirSync(folder)]).toEqual([true, ["pipe"]]);
  });

  test("is not created without its folder", async () => {
    await expect(writeAtomically(join(folder, "no", "a"), "x")).rejects.toMatchObject({ code: "folder-removed" });
  });
});
