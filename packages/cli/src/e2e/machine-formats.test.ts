import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scanForSecrets } from "@assay/evidence";
import type { LogEntry } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { writeStoredLoad } from "../testing/stored-load.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { writtenVerdicts } from "../testing/written-verdicts.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const text = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");

/** The variables of one step of GitHub Actions, with files of their own. */
function step(name: string, other: Readonly<Record<string, string>> = {}) {
  mkdirSync(join(cwd, name));
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: join(cwd, name, "summary"),
    GITHUB_OUTPUT: join(cwd, name, "outputs"),
    ...other,
  };
}

const run = (out: string, env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  callAssay(["run", "--repo", repository, "--rule", "two-fields", "--seed", "1", "--quiet", "--out", out, ...more], {
    cwd,
    env,
  });

const commandsIn = (err: string): readonly string[] =>
  err.split("\n").flatMap((line) => /^::(?<kind>\w+)/u.exec(line)?.groups?.["kind"] ?? []);

describe("all formats agree with the exit code of a run", () => {
  test.each([
    { name: "that holds", args: [], code: 0, word: "passed" },
    { name: "that is violated", args: ["--fault", "comment"], code: 1, word: "failed" },
    { name: "that is incomplete", args: ["--fault", "html-200"], code: 3, word: "incomplete" },
  ])("$name", async ({ name, args, code, word }) => {
    const env = step(`step ${name}`);
    const ended = await run(name, env, ...args);
    const { result, isRedInJunit, exitCodeInSummary } = writtenVerdicts(join(cwd, name));
    expect([ended.code, result?.exitCode, exitCodeInSummary, isRedInJunit]).toEqual([code, code, code, code !== 0]);
    const { summary } = JSON.parse(text(name, "ctrf.json")).results;
    expect(summary.failed > 0).toBe(code !== 0);
    expect(commandsIn(ended.err).includes("error")).toBe(code !== 0);
    expect(text(name, "report.html")).toMatch(new RegExp(`<title>[^<]*${word}`, "iu"));
    const last: LogEntry = JSON.parse(text(name, "log.ndjson").trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ event: "run-finished", exitCode: code, outcome: word });
    expect(text(`step ${name}`, "summary")).toBe(`${text(name, "summary.md")}\n`);
    expect(text(`step ${name}`, "outputs").split("\n")).toEqual([
      `outcome=${word}`,
      `exit-code=${code}`,
      `run-folder=${join(cwd, name)}`,
      `report=${join(cwd, name, "report.html")}`,
      "",
    ]);
  });
});

describe("under GitHub Actions", () => {
  test("other commands tell their end as well", async () => {
    writeStoredLoad(join(cwd, "loads"), { id: "first", medianMs: 100 });
    writeStoredLoad(join(cwd, "loads"), { id: "second", medianMs: 100 });
    await run("told", {}, "--fault", "comment");
    const calls = [
      { name: "judge", args: ["judge", "told"], code: 1, says: "## ✗ Assay: failed (exit code 1)" },
      { name: "check", args: ["check", "told"], code: 1, says: "## ✗ Assay: failed (exit code 1)" },
      {
        name: "compare",
        args: ["compare", "loads/first", "loads/second", "--decide"],
        code: 5,
        says: "## ? Assay comparison: inconclusive",
      },
      {
        name: "report",
        args: ["report", "told", "loads", "--out", "pages"],
        code: 1,
        says: "## ✗ Assay, 3 runs: failed",
      },
    ];
    for (const { name, args, code, says } of calls) {
      const ended = await callAssay(args, { cwd, env: step(name) });
      expect([name, ended.code, text(name, "summary").split("\n")[0]]).toEqual([
        name,
        code,
        expect.stringContaining(says),
      ]);
      expect([name, commandsIn(ended.err)]).toEqual([name, expect.arrayContaining(["error"])]);
      expect(text(name, "outputs")).toContain(`exit-code=${code}\n`);
    }
  });

  test("nothing is written for GitHub if it is switched off, or elsewhere", async () => {
    const off = await run("off", step("step off", { ASSAY_GITHUB: "off" }), "--fault", "comment");
    const elsewhere = await run("elsewhere", step("step elsewhere", { GITHUB_ACTIONS: "" }), "--fault", "comment");
    expect([commandsIn(off.err), commandsIn(elsewhere.err)]).toEqual([[], []]);
    expect(() => text("step off", "summary")).toThrow("ENOENT");
    expect(() => text("step elsewhere", "summary")).toThrow("ENOENT");
  });

  test("a summary that is full or not writable is reported and does not change the exit code", async () => {
    const full = step("full");
    writeFileSync(full.GITHUB_STEP_SUMMARY, "x".repeat(1024 * 1024 - 1000));
    const unwritable = step("unwritable", { GITHUB_STEP_SUMMARY: join(cwd, "nowhere/x"), GITHUB_OUTPUT: cwd });
    const ends = [await run("first", full), await run("second", unwritable)];
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends[0]?.err).toContain("assay: the job summary is full (1 MiB)");
    expect(ends[1]?.err).toContain("assay: the job summary could not be written (ENOENT)");
    expect(ends[1]?.err).toContain("assay: the step outputs could not be written (EISDIR)");
    expect(text("full", "summary")).toHaveLength(1024 * 1024 - 1000);
  });

  test("does not wait for a summary that is a pipe without a reader", async () => {
    const env = step("piped");
    execFileSync("mkfifo", [env.GITHUB_STEP_SUMMARY]);
    const { code, err } = await run("unread", env);
    expect([code, err]).toEqual([0, expect.stringContaining("the job summary could not be written (ENXIO)")]);
  });

  test("no more is appended to a summary than fits", async () => {
    const env = step("tight");
    writeFileSync(env.GITHUB_STEP_SUMMARY, "x".repeat(1024 * 1024 - 1700));
    await run("cut", env, "--fault", "comment");
    const { length } = Buffer.from(text("tight", "summary"));
    expect(length).toBeLessThanOrEqual(1024 * 1024);
    expect(text("tight", "summary")).toMatch(/… cut here: the files of the run have all of it\.\n\n$/u);
  });

  test("a secret that a target repeats is in no file and in no annotation", async () => {
    const token = 'glowing-"Zebra"/42+<peanut>';
    const url = await httpTarget((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`: ${request.headers.authorization ?? ""}\n\nevent: done\ndata: {}\n\n`);
    });
    const env = step("secret", { ASSAY_TOKEN: token });
    const { code, err, out } = await callAssay(
      [
        "run",
        "--url",
        url,
        "--rule",
        "two-fields",
        "--access",
        "private",
        "--log",
        "copy.ndjson",
        "--out",
        "secretive",
      ],
      { cwd, env },
    );
    writeFileSync(join(cwd, "secret", "printed"), out + err);
    expect([code, commandsIn(err)]).toEqual([1, expect.arrayContaining(["error"])]);
    expect(await scanForSecrets(cwd, [{ name: "token", value: token }])).toEqual([]);
  });
});
