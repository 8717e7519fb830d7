import { EventEmitter } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createStandardOutput } from "./standard-output.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

/** A stream that fails as one of a pipe or a device does: a moment after the writing. */
class FailingStream extends EventEmitter {
  readonly fd = -1;
  readonly code: string;

  constructor(code: string) {
    super();
    this.code = code;
  }

  write(): boolean {
    process.nextTick(() => this.emit("error", Object.assign(new Error("no"), { code: this.code })));
    return false;
  }
}

describe("what is printed", () => {
  test("is appended to a file", async () => {
    const path = join(temporaryFolder(), "out");
    writeFileSync(path, "before\n");
    const fd = openSync(path, "a");
    const output = createStandardOutput(Object.assign(new FailingStream("unused"), { fd }));
    output.write("one\n");
    output.write("two\n");
    expect([await output.failure(), readFileSync(path, "utf8")]).toEqual([undefined, "before\none\ntwo\n"]);
    closeSync(fd);
  });

  test("and does not get into a file is a failure", async () => {
    const path = join(temporaryFolder(), "out");
    writeFileSync(path, "");
    const fd = openSync(path, "r");
    const output = createStandardOutput(Object.assign(new FailingStream("unused"), { fd }));
    output.write("one\n");
    expect(await output.failure()).toMatchObject({ code: "disk-failed" });
    closeSync(fd);
  });

  test.each([
    { name: "a full disk", code: "ENOSPC", failure: expect.objectContaining({ code: "disk-full" }) },
    { name: "a reader that went away", code: "EPIPE", failure: undefined },
  ])("and meets $name ends as $failure.code", async ({ code, failure }) => {
    const output = createStandardOutput(new FailingStream(code));
    output.write("one\n");
    expect(await output.failure()).toEqual(failure);
  });
});
