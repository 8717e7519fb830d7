import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { attachedFiles } from "./attached-file.ts";

test("files are read up to a size of each and of all", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "four"), "abcd");
  writeFileSync(join(folder, "six"), "abcdef");
  const read = attachedFiles(join(folder, "a.har"), { file: 5, all: 10 });
  const flawOf = (name: string): string | undefined => {
    const found = read(name);
    return "flaw" in found ? found.flaw : undefined;
  };
  expect(["six", "four", "four", "four"].map(flawOf)).toEqual([
    "has 6 bytes, more than the 5 that are read",
    undefined,
    undefined,
    "has 4 bytes, more than the 2 that are read",
  ]);
});
