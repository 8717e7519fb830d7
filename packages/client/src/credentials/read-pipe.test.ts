import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readPipe } from "./read-pipe.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-pipe-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A named pipe and a process that writes to it. */
function pipe(name: string, script?: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  if (script !== undefined) {
    spawn("/bin/sh", ["-c", `${script} > "$0"`, path], { stdio: "ignore" });
  }
  return path;
}

describe("a pipe", () => {
  test.each([
    { name: "that somebody writes to", script: "printf 'a token'", read: { text: "a token" } },
    { name: "without an end", script: "exec cat /dev/zero", read: "too-large" },
    { name: "without a writer", script: undefined, read: "too-late", timeoutMs: 50 },
  ])("$name returns its text or the reason", async ({ name, script, read, timeoutMs = 60_000 }) => {
    const path = pipe(name.replaceAll(" ", "-"), script);
    expect(await readPipe(path, { maxBytes: 1000, timeoutMs })).toEqual(read);
  });
});
