import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createOutputCache } from "./output-cache.ts";
import { createProcessPool } from "./process-pool.ts";
import { runProcess } from "./run-process.ts";

const text = (output: readonly Buffer[] | undefined): string | undefined =>
  output === undefined ? undefined : Buffer.concat(output).toString();

describe("a memory of outputs", () => {
  test("returns stored outputs, empty ones included", () => {
    const memory = createOutputCache();
    memory.store("a", [Buffer.from("one"), Buffer.from("two")]);
    memory.store("b", []);
    expect([text(memory.find("a")), text(memory.find("b")), memory.find("c")]).toEqual(["onetwo", "", undefined]);
  });

  test("evicts the least recently used output", () => {
    const memory = createOutputCache(6);
    memory.store("a", [Buffer.from("aaa")]);
    memory.store("b", [Buffer.from("bbb")]);
    memory.find("a");
    memory.store("c", [Buffer.from("ccc")]);
    expect([text(memory.find("a")), memory.find("b"), text(memory.find("c"))]).toEqual(["aaa", undefined, "ccc"]);
  });

  test("counts an output once that is stored twice", () => {
    const memory = createOutputCache(6);
    memory.store("a", [Buffer.from("aaa")]);
    memory.store("b", [Buffer.from("bbb")]);
    memory.store("b", [Buffer.from("bbb")]);
    expect(text(memory.find("a"))).toBe("aaa");
  });

  test("does not store an output larger than its limit, and keeps the others", () => {
    const memory = createOutputCache(2);
    memory.store("a", [Buffer.from("aa")]);
    memory.store("b", [Buffer.from("bbb")]);
    expect([text(memory.find("a")), memory.find("b")]).toEqual(["aa", undefined]);
  });
});

describe("a process of a pool with a memory", () => {
  const print = async (
    script: string,
    pool: ReturnType<typeof createProcessPool>,
    signal = new AbortController().signal,
  ): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of runProcess({ file: "sh", args: ["-c", script], cwd: "/", signal, pool })) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  };

  test("runs once, even if it is asked for again before it has ended", async () => {
    const pool = createProcessPool(4, createOutputCache());
    const script = "sleep 0.1; date +%N";
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => print(script, pool)));
    expect(others).toEqual([first, first]);
  });

  test("runs again if an equal one fails while it waits", async () => {
    const pool = createProcessPool(4, createOutputCache());
    const script = "sleep 0.1; date +%N >&2; exit 3";
    const [first, second] = await Promise.all([1, 2].map(() => print(script, pool).catch(String)));
    expect(first).toMatch(/^ProcessError: \d+$/u);
    expect(second).toMatch(/^ProcessError: \d+$/u);
    expect(second).not.toBe(first);
  });

  test("runs to its end if an equal one is killed while it waits", async () => {
    const pool = createProcessPool(4, createOutputCache());
    const controller = new AbortController();
    const script = "echo one; sleep 0.3; echo two";
    const killed = print(script, pool, controller.signal).catch(() => "killed");
    const complete = print(script, pool);
    setTimeout(() => controller.abort(), 50);
    expect(await killed).not.toContain("two");
    expect(await complete).toBe("one\ntwo\n");
  });

  test("is not started again", async () => {
    const pool = createProcessPool(1, createOutputCache());
    const script = "date +%N";
    expect(await print(script, pool)).toBe(await print(script, pool));
    const forgetful = createProcessPool(1);
    expect(await print(script, forgetful)).not.toBe(await print(script, forgetful));
  });

  test("is not cached if it failed", async () => {
    const pool = createProcessPool(1, createOutputCache());
    const script = "date +%N >&2; exit 3";
    const complaint = async (): Promise<string> => print(script, pool).catch(String);
    expect(await complaint()).toMatch(/^ProcessError: \d+$/u);
    expect(await complaint()).not.toBe(await complaint());
  });

  test("is cached to its end although its reader stopped early", async () => {
    const pool = createProcessPool(1, createOutputCache());
    const script = "echo one; sleep 0.2; echo two";
    const run = { file: "sh", args: ["-c", script], cwd: "/", pool, signal: new AbortController().signal };
    for await (const chunk of runProcess(run)) {
      expect(chunk.toString()).toMatch(/^one\n/u);
      break;
    }
    expect(await print(script, pool)).toBe("one\ntwo\n");
  });

  test("is not cached if it was killed", async () => {
    const pool = createProcessPool(1, createOutputCache());
    const stop = new AbortController();
    const folder = mkdtempSync(join(tmpdir(), "output-memory-"));
    const mark = join(folder, "started");
    // Endless the first time, short afterwards.
    const script = `echo one; [ -e '${mark}' ] || { : > '${mark}'; exec sleep 3600; }; echo two`;
    const early = print(script, pool, stop.signal);
    await vi.waitUntil(() => existsSync(mark), { timeout: 300_000 });
    stop.abort();
    await early.catch(() => undefined);
    expect(await print(script, pool)).toBe("one\ntwo\n");
    rmSync(folder, { recursive: true });
  });
});
