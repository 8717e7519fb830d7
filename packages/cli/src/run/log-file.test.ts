import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { createLineWriter } from "./log-file.ts";
import { createRunLog } from "./run-log.ts";

function pipe(): string {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

describe("a line of the log", () => {
  test("replaces the content of a file, and adds lines", () => {
    const path = join(temporaryFolder(), "log");
    for (const lines of [["old\n"], ["one\n", "two\n"]]) {
      lines.forEach(createLineWriter(path));
    }
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  });

  test("does not wait for a pipe without a reader", () => {
    const write = createLineWriter(pipe());
    expect(() => write("one\n")).toThrow("ENXIO");
  });

  test("reaches the reader of a pipe without an end between two lines", () => {
    const path = pipe();
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const write = createLineWriter(path);
    const seen = Buffer.alloc(100);
    write("one\n");
    const first = readSync(reader, seen);
    // Without a writer this would read the end of the file.
    expect(() => readSync(reader, seen)).toThrow("EAGAIN");
    write("two\n");
    const second = readSync(reader, seen);
    closeSync(reader);
    expect([first, second, seen.toString("utf8", 0, second)]).toEqual([4, 4, "two\n"]);
  });
});

test("a log that can no longer be written is reported once", () => {
  const context = testContext({ cwd: temporaryFolder() });
  const log = createRunLog({ folder: context.cwd, extraDestination: "/dev/full", context, secrets: [] });
  for (let round = 0; round < 5; round += 1) {
    log.add({ event: "judging" });
  }
  expect(context.written.err.match(/can no longer be written \(ENOSPC\)/gu)).toHaveLength(1);
  expect(readFileSync(join(context.cwd, "log.ndjson"), "utf8").trimEnd().split("\n")).toHaveLength(5);
});
