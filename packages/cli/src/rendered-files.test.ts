import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeUnrenderedFiles, writeRendered } from "./rendered-files.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const broken = (): string => {
  throw new TypeError("no such member");
};

describe("a renderer that throws", () => {
  test("affects only its own file, and removes the older one", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "b"), "old");
    const unrendered = await writeRendered(folder, [
      { name: "a", render: () => "A" },
      { name: "b", render: broken },
      { name: "c", render: () => "C" },
    ]);
    expect([readdirSync(folder), readFileSync(join(folder, "c"), "utf8")]).toEqual([["a", "c"], "C"]);
    expect(describeUnrenderedFiles(unrendered)).toBe(
      "assay: this is a bug in assay: b could not be rendered (TypeError: no such member); all other files were written; please report it\n",
    );
  });

  test("is not mentioned if all files were rendered", () => {
    expect(describeUnrenderedFiles([])).toBe("");
  });
});

test("a folder that cannot be made is a failure of the disk", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  await expect(writeRendered(join(folder, "file/below"), [{ name: "a", render: () => "A" }])).rejects.toMatchObject({
    name: "HarnessError",
  });
});
