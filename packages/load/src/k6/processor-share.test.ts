import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deferOnProcessor, preferOnProcessor } from "./processor-share.ts";

let child: ChildProcess;
beforeEach(async () => {
  child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
});
afterEach(() => void child.kill("SIGKILL"));

const pid = (): number => child.pid ?? 0;

describe("the share of a process", () => {
  test("becomes less", () => {
    deferOnProcessor(pid());
    expect(getPriority(pid())).toBe(10);
  });

  test.skipIf(!existsSync("/proc/self/autogroup"))("becomes less for its whole session", () => {
    deferOnProcessor(pid());
    expect(readFileSync(`/proc/${pid()}/autogroup`, "utf8")).toContain("nice 10");
  });

  test("becomes more, or stays as it is where that is not permitted", () => {
    preferOnProcessor(pid());
    expect([-10, 0]).toContain(getPriority(pid()));
  });

  test("of a process that has ended is nothing to complain about", async () => {
    child.kill("SIGKILL");
    await once(child, "close");
    const gone = pid();
    expect(() => deferOnProcessor(gone)).not.toThrow();
    expect(() => preferOnProcessor(gone)).not.toThrow();
  });
});
