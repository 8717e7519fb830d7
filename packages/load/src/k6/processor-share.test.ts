import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lowerPriority, raisePriority } from "./processor-share.ts";

let child: ChildProcess;
beforeEach(async () => {
  child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
});
afterEach(() => void child.kill("SIGKILL"));

const pid = (): number => child.pid ?? 0;

describe("the share of a process", () => {
  // With permission to raise priorities, that of the target stays as it is, so it does not wait for all other processes.
  test("is lowered only if raising another one is not permitted", () => {
    // The test process may have its own priority.
    const usual = getPriority(pid());
    lowerPriority(pid());
    const deferred = getPriority(pid());
    raisePriority(pid());
    const preferred = getPriority(pid());
    const least = Math.max(usual, 5);
    expect([deferred, preferred]).toEqual(preferred < usual ? [usual, -10] : [least, least]);
  });

  test("is raised, or unchanged if that is not permitted", () => {
    const usual = getPriority(pid());
    raisePriority(pid());
    expect([-10, usual]).toContain(getPriority(pid()));
  });

  test("of a process that has ended is ignored", async () => {
    child.kill("SIGKILL");
    await once(child, "close");
    const gone = pid();
    expect(() => lowerPriority(gone)).not.toThrow();
    expect(() => raisePriority(gone)).not.toThrow();
  });
});
