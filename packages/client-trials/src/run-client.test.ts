import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureText } from "./captured-text.ts";
import { type ClientRun, runClient } from "./run-client.ts";

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "run-client-"));
});

afterAll(() => rmSync(cwd, { recursive: true }));

const runOf = (script: string, other: Partial<ClientRun> = {}): ClientRun => ({
  command: [process.execPath, "-e", script],
  cwd,
  env: { PATH: process.env["PATH"], TOLD: "what to do" },
  timeoutMs: 30_000,
  lingerMs: 30_000,
  isOver: () => false,
  signal: new AbortController().signal,
  ...other,
});

const endless = "setInterval(() => undefined, 1000);";
/** Starts a child that keeps running, and prints its id. */
const parent = `const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "${endless}"], { stdio: "inherit" });
require("node:fs").writeFileSync(process.env.TOLD, String(pid));`;

const leaving = parent.replace('stdio: "inherit"', 'stdio: "inherit", detached: true');

/** A killed orphan may stay listed as a zombie. */
const isAlive = (pid: number): boolean =>
  /^[^Z\s]/u.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());

describe("the end of a client", () => {
  test.each([
    { name: "0", script: "", end: { kind: "exited", status: 0 } },
    { name: "another status", script: "process.exit(77)", end: { kind: "exited", status: 77 } },
    { name: "a signal", script: "process.kill(process.pid, 'SIGKILL')", end: { kind: "signalled", signal: "SIGKILL" } },
  ])("is reported: $name", async ({ end, script }) => {
    expect((await runClient(runOf(script))).end).toEqual(end);
  });

  test("comes at its deadline, even if it ignores signals", async () => {
    const deaf = `process.on("SIGTERM", () => undefined); ${endless}`;
    expect((await runClient(runOf(deaf, { timeoutMs: 300 }))).end).toEqual({ kind: "killed", why: "deadline" });
  });

  test("comes some time after its task was over", async () => {
    const run = runOf(endless, { isOver: () => true, lingerMs: 100 });
    expect((await runClient(run)).end).toEqual({ kind: "killed", why: "lingering" });
  });

  test("comes with an interrupt", async () => {
    const { end } = await runClient(runOf(endless, { signal: AbortSignal.abort() }));
    expect(end).toEqual({ kind: "killed", why: "interrupted" });
  });

  const byItself = { lingerMs: 200_000, end: { kind: "exited", status: 0 } } as const;
  test.each([
    { name: "ends by itself", script: `${parent} process.exit(0)`, ...byItself },
    // Once it has started its child.
    { name: "is killed", script: `${parent} ${endless}`, lingerMs: 0, end: { kind: "killed", why: "lingering" } },
    // Found by its environment, which only Linux exposes.
    ...(process.platform === "linux"
      ? [{ name: "leaves one in its own group", script: `${leaving} process.exit(0)`, ...byItself }]
      : []),
  ])("ends everything it started, if it $name", async ({ name, script, lingerMs, end }) => {
    const file = join(cwd, name);
    const pidText = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
    const env = { PATH: process.env["PATH"], TOLD: file };
    const ran = await runClient(runOf(script, { env, isOver: () => pidText() !== "", timeoutMs: 200_000, lingerMs }));
    expect(ran.end).toEqual(end);
    await expect.poll(() => isAlive(Number(pidText()))).toBe(false);
  });
});

test("a client gets its environment and arguments unchanged", async () => {
  const script = "process.stdout.write(JSON.stringify([process.env.TOLD, ...process.argv.slice(1)]))";
  const run = runOf(script);
  const { out } = await runClient({ ...run, command: [...run.command, "$HOME; `x`", "--flag"] });
  expect(JSON.parse(out.beginning())).toEqual(["what to do", "$HOME; `x`", "--flag"]);
});

test.each([
  { command: ["no-such-program"], code: "ENOENT" },
  { command: ["./"], code: "EACCES" },
])("a client that cannot be started fails with $code", async ({ code, command }) => {
  await expect(runClient({ ...runOf(""), command })).rejects.toMatchObject({
    code: "client-not-started",
    cause: { code },
  });
});

describe("the output of a client", () => {
  test("is read to its end, however long", async () => {
    const { end, out } = await runClient(runOf("process.stdout.write('x'.repeat(5_000_000) + 'end')"));
    expect([end, out.beginning().length, out.end().endsWith("end")]).toEqual([
      { kind: "exited", status: 0 },
      256 * 1024,
      true,
    ]);
  });

  test("contains no part of a secret wherever it is cut", () => {
    const secret = `sgp_${"0123456789".repeat(4)}`;
    const parts = new RegExp("sgp_|0123", "u");
    const cuts = Array.from({ length: secret.length + 4 }, (_, index) => {
      const text = captureText([secret]);
      // Puts one secret across the end of the beginning, and one across the start of the end.
      text.add(Buffer.from("a".repeat(256 * 1024 - secret.length - 2 + index)));
      text.add(Buffer.from(secret.slice(0, 7)));
      text.add(Buffer.from(`${secret.slice(7)}${"b".repeat(200_000)}${secret}${"c".repeat(4096 - index)}`));
      return [text.beginning(), text.end(), text.remainder()].filter((shown) => parts.test(shown));
    });
    expect(cuts.flat()).toEqual([]);
  });

  test("has secrets replaced", () => {
    const text = captureText(["sgp_1"]);
    text.add(Buffer.from("a sgp_1 b"));
    expect([text.beginning(), text.end(), text.remainder()]).toEqual(["a <token> b", "a <token> b", ""]);
  });

  test("separates the part after its beginning", () => {
    const text = captureText();
    text.add(Buffer.from(`${"x".repeat(256 * 1024)}the end`));
    expect(text.remainder()).toBe("the end");
    text.add(Buffer.from("y".repeat(500_000)));
    expect(text.remainder()).toBe("y".repeat(64 * 1024));
  });

  test("has no replacement character at the cut", () => {
    const text = captureText();
    text.add(Buffer.from("日".repeat(200_000)));
    expect(text.beginning()).toMatch(/^日+$/u);
    expect(text.end()).toMatch(/^日+$/u);
  });
});
