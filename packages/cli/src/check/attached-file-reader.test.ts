import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { createAttachedFileReader } from "./attached-file-reader.ts";

test("files are limited in size, each and in total", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "four"), "abcd");
  writeFileSync(join(folder, "six"), "abcdef");
  const read = createAttachedFileReader(join(folder, "a.har"), { maxFileBytes: 5, maxTotalBytes: 10 });
  const flawOf = (name: string): string | undefined => {
    const found = read(name);
    return "reason" in found ? found.reason : undefined;
  };
  expect(["six", "four", "four", "four"].map(flawOf)).toEqual([
    "is 6 bytes, which exceeds the limit of 5",
    undefined,
    undefined,
    "is 4 bytes, which exceeds the limit of 2",
  ]);
});
