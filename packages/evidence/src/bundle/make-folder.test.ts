import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

const root = mkdtempSync(join(tmpdir(), "assay-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("a folder", () => {
  test("is created with its parents, for its owner only", async () => {
    await makeFolder(join(root, "a/b/c"));
    expect(["a", "a/b", "a/b/c"].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  test("that exists stays unchanged", async () => {
    await makeFolder(join(root, "d"));
    // `chmod` ignores the umask.
    chmodSync(join(root, "d"), 0o755);
    await makeFolder(join(root, "d"));
    expect(statSync(join(root, "d")).mode & 0o777).toBe(0o755);
  });

  test("is not created in place of a file, or below one", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(makeFolder(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeFolder(join(root, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test.skipIf(!existsSync("/proc/self"))("that cannot be made anywhere is given up", async () => {
    await expect(makeFolder("/proc/assay/run")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
