import { expect, test } from "vitest";
import { readTrackedFiles } from "./tracked-files.ts";

const hash = "0123456789012345678901234567890123456789";

const listing = (...records: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(records.flatMap((record) => [Buffer.from(record), Buffer.of(0)]));

test.each([
  { name: "a regular file", record: `100644 ${hash} 0\tsrc/a.go`, files: [{ path: "src/a.go", language: "Go" }] },
  { name: "an executable file of no known language", record: `100755 ${hash} 0\trun`, files: [{ path: "run" }] },
  { name: "a file whose name has a tab", record: `100644 ${hash} 0\ta\tb`, files: [{ path: "a\tb" }] },
  { name: "a symbolic link", record: `120000 ${hash} 0\tlink`, files: [] },
  { name: "a submodule", record: `160000 ${hash} 0\tmodule`, files: [] },
  { name: "a file whose name has a line break", record: `100644 ${hash} 0\ta\nb`, files: [] },
  {
    name: "a file whose name is not UTF-8",
    record: Buffer.concat([Buffer.from(`100644 ${hash} 0\t`), Buffer.of(0xff)]),
    files: [],
  },
])("$name is read as $files", ({ files, record }) => {
  expect(readTrackedFiles(listing(record))).toEqual(files);
});

test("the sides of a merge conflict are one file", () => {
  const sides = [1, 2, 3].map((stage) => `100644 ${hash} ${stage}\tboth.txt`);
  expect(readTrackedFiles(listing(...sides))).toEqual([{ path: "both.txt", language: "Text" }]);
});
