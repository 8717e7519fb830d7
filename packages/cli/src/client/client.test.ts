import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { trialNames } from "@assay/client-trials";
import { describe, expect, test } from "vitest";
import { startAssay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const faithful = fileURLToPath(new URL("../../../client-trials/fixtures/faithful-client.js", import.meta.url));
const env = { PATH: process.env["PATH"] ?? "", HOME: cwd };

const client = (args: readonly string[], others: Readonly<Record<string, string>> = {}) =>
  callAssay(["client", ...args], { cwd, env: { ...env, ...others } });

describe("a client that does well", () => {
  test("passes, and everything is written", async () => {
    const { code, out } = await client([
      ..."--trial ordinary-search --trial cancel --parallel 3 --out tried --json -- node".split(" "),
      faithful,
    ]);
    const report: unknown = JSON.parse(out);
    expect([code, report]).toMatchObject([0, { outcome: "passed", trials: [{}, {}, {}] }]);
    expect(JSON.parse(readFileSync(join(cwd, "tried/client.json"), "utf8"))).toEqual(report);
    expect(JSON.parse(readFileSync(join(cwd, "tried/records.json"), "utf8"))).toHaveLength(3);
    expect(readFileSync(join(cwd, "tried/summary.md"), "utf8")).toMatch(/^## ✓ Assay client: passed \(exit code 0\)/u);
    expect(readFileSync(join(cwd, "tried/junit.xml"), "utf8")).toContain('name="client.cancel (legacy)"');
  });

  test("searches in a repository of the user's when told so", async () => {
    const project = fileURLToPath(new URL("../../../..", import.meta.url));
    const args = ["--trial", "ordinary-search", "--repo", project, "--query", "prettyUnlikely count:1", "--"];
    expect((await client([...args, "node", faithful])).code).toBe(0);
  });
});

test("a client that does badly fails, with the reason", async () => {
  const { code, out } = await client(["--trial", "missing-done", "--", "node", faithful], {
    CLIENT_DEFECT: "user/cut-off-is-told",
  });
  expect(code).toBe(1);
  expect(out).toContain("✗ failed  user/cut-off-is-told\n    it ended with status 0, as if the result were complete");
});

test("no further trial begins once a check has failed, where that is asked for", async () => {
  const trials = ["--trial", "missing-done", "--trial", "refused-token", "--parallel", "1"];
  const { code, out } = await client([...trials, "--bail", "-q", "--", "node", faithful], {
    CLIENT_DEFECT: "user/cut-off-is-told",
  });
  expect(code).toBe(1);
  expect(out).toMatch(/^incomplete bail: --bail left out 1 trial after user\/cut-off-is-told failed$/mu); // words: the published id of a check
  expect(out).not.toContain("refused-token");
});

test("what is only likely fails when that is asked for", async () => {
  const args = ["--trial", "alert", "--", "node", faithful];
  const defect = { CLIENT_DEFECT: "user/alert-is-told" };
  const codes = [await client(args, defect), await client(["--strict", ...args], defect)].map(({ code }) => code);
  expect(codes).toEqual([0, 1]);
});

describe("what stands behind the dashes", () => {
  test.each([
    { name: "no flag before them", before: [] },
    { name: "flags before them", before: ["--linger", "0.5", "--parallel", "8"] },
  ])("is the client's alone, with $name", async ({ before }) => {
    // One trial shows it: without a flag, a file says which.
    writeFileSync(join(cwd, "one-trial.json"), JSON.stringify({ client: { trial: ["ordinary-search"], linger: 0.5 } }));
    const said = ["--json", "--trial", "x", "--help", "--version", "--", "-v"];
    const script = "console.error(JSON.stringify(process.argv.slice(1))); process.exit(3)";
    const args = ["--config", "one-trial.json", "client", ...before, "--", "node", "-e", script, "--", ...said];
    const { code, out } = await callAssay(args, { cwd, env });
    expect(code).toBe(3);
    expect(out).toContain(`-- ${said.join(" ")}`);
  });
});

describe("a client that takes no part", () => {
  test.each([
    { name: "sends nothing", script: "", says: "sent no request in 1 trial (redirect)" },
    { name: "leaves out what it was asked for", script: "process.exit(77)", says: "left out every trial" },
  ])("and $name decides nothing", async ({ says, script }) => {
    const { code, out } = await client(["--trial", "redirect", "--", "node", "-e", script]);
    expect([code, out.replaceAll("\n", " ")]).toEqual([3, expect.stringContaining(says)]);
  });
});

describe("a contradictory call", () => {
  test.each([
    { name: "no command", args: [], says: "pass the command of your client after `--`" },
    { name: "no such program", args: ["--", "no-such-program"], says: 'program "no-such-program" not found' },
    { name: "a file that is not executable", args: ["--", faithful], says: "is not executable" },
    { name: "a mistyped trial", args: ["--trial", "redirct", "--", "true"], says: 'did you mean "redirect"?' },
    { name: "a mistyped interface", args: ["--interface", "legcy", "--", "true"], says: 'did you mean "legacy"?' },
    {
      name: "a trial of another interface",
      args: ["--interface", "legacy", "--trial", "alert", "--", "true"],
      says: "no trial",
    },
    { name: "a repository without a query", args: ["--repo", ".", "--", "true"], says: "--repo requires --query" },
    { name: "a flag behind a client without dashes", args: ["node", "--nothing"], says: "unknown option '--nothing'" },
  ])("such as one with $name is refused with one sentence", async ({ args, says }) => {
    const { code, err, out } = await client(args);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
    expect(err).not.toMatch(/\n\s+at /u);
  });
});

describe("the list of trials", () => {
  test("has every trial once", async () => {
    const { code, out } = await client(["--list", "--json"]);
    const names = JSON.parse(out).map(({ name }: { readonly name: string }) => name);
    expect([code, names]).toEqual([0, trialNames]);
  });

  test("can be read by people", async () => {
    expect((await client(["--list", "--trial", "redirect"])).out).toContain("a redirect to another host");
  });
});

test("an interrupt ends the run with 130 and leaves no process", async () => {
  const script = "require('node:fs').writeFileSync('started', String(process.pid)); setInterval(() => undefined, 1000)";
  const args = ["client", "--trial", "ordinary-search", "--timeout", "60", "--", "node", "-e", script];
  const running = startAssay(args, { cwd });
  await expect
    .poll(() => existsSync(join(cwd, "started")) && readFileSync(join(cwd, "started"), "utf8"), { timeout: 200_000 })
    .toMatch(/^\d+$/u);
  running.kill("SIGINT");
  const { code, out } = await running.ended;
  expect([code, out]).toEqual([130, expect.stringContaining("interrupted by SIGINT")]);
  const pid = Number(readFileSync(join(cwd, "started"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
