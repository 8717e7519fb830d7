import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth, isProving } from "@assay/tools/proving";
import { createChecker } from "@assay/reading";
import { type RunResult, RunResultShape } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { assay, startAssay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { fixturePath } from "../testing/fixture-streams.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { runInProcess } from "../testing/run-in-process.ts";
import { httpTarget } from "../testing/target.ts";
import { runCommandLine } from "../run-command-line.ts";
import { testContext } from "../testing/test-context.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { writtenVerdicts } from "../testing/written-verdicts.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const { problem } = createChecker(RunResultShape);
const names = ["verdicts.json", "timelines.json", "junit.xml", "ctrf.json", "summary.md", "report.html"];

const resultsIn = (folder: string): readonly string[] =>
  names.map((name) => readFileSync(join(cwd, folder, name), "utf8"));
const verdictsOf = (folder: string): RunResult => JSON.parse(readFileSync(join(cwd, folder, "verdicts.json"), "utf8"));

/** All rules of streams when it proves, else those of the smallest profile. */
const wholeOrSmall = isProving ? {} : { profile: "smoke" };

describe("judging a stored run again", () => {
  beforeAll(async () => {
    await runInProcess({ out: join(cwd, "holds"), repo: [repository], ...wholeOrSmall });
    await runInProcess({
      out: join(cwd, "fails"),
      repo: [repository],
      fault: ["content-fractional-line"],
      profile: "smoke",
    });
    await runInProcess({
      out: join(cwd, "decides-nothing"),
      repo: [repository],
      fault: ["truncate"],
      profile: "smoke",
    });
  });

  test.each([
    { run: "holds", exitCode: 0 },
    { run: "fails", exitCode: 1 },
    { run: "decides-nothing", exitCode: 3 },
  ])("that $run gives the same files, byte for byte, and the exit code $exitCode", async ({ run, exitCode }) => {
    const before = resultsIn(run);
    // In a separate process, without the caches of this one.
    const { code, err } = await assay(["judge", run], { cwd });
    expect([code, err, resultsIn(run)]).toEqual([exitCode, "", before]);
  });

  test("ends with an interrupt, and writes nothing", async () => {
    const context = testContext({ cwd, signal: AbortSignal.abort("SIGTERM") });
    const code = await runCommandLine(context, ["judge", "holds", "--out", "interrupted"]);
    expect([code, context.written.out, existsSync(join(cwd, "interrupted"))]).toEqual([143, "", false]);
    expect(context.written.err).toBe("interrupted by SIGTERM while judging; nothing was written\n");
  });

  test("from a copy elsewhere gives the same files and touches nothing else", async () => {
    mkdirSync(join(cwd, "elsewhere"));
    cpSync(join(cwd, "fails"), join(cwd, "elsewhere/copy"), { recursive: true });
    names.forEach((name) => rmSync(join(cwd, "elsewhere/copy", name)));
    const before = readdirSync(join(cwd, "elsewhere/copy"));
    const { code } = await callAssay(["judge", "copy", "--out", "results"], { cwd: join(cwd, "elsewhere") });
    expect([code, resultsIn("elsewhere/results")]).toEqual([1, resultsIn("fails")]);
    expect(readdirSync(join(cwd, "elsewhere/copy"))).toEqual(before);
  });

  test("prints the written file with --json", async () => {
    const { out } = await callAssay(["judge", "fails", "--json", "--out", "printed"], { cwd });
    expect(out).toBe(resultsIn("fails")[0]);
  });

  test("shows the results even if they cannot be written", async () => {
    writeFileSync(join(cwd, "a-file"), "");
    const { code, out, err } = await callAssay(["judge", "fails", "--out", "a-file/below"], { cwd });
    expect(out).toContain("FAILED  exit code 1");
    expect(err).toMatch(/^assay: [^\n]*a-file\/below[^\n]*\n$/u);
    expect([2, 70]).toContain(code);
  });

  test("with a changed body is reported, and never passes", async () => {
    cpSync(join(cwd, "holds"), join(cwd, "damaged"), { recursive: true });
    const [body = ""] = readdirSync(join(cwd, "damaged/bodies"));
    writeFileSync(join(cwd, "damaged/bodies", body), "event: done\ndata: {}\n\n");
    const { code, err } = await callAssay(["judge", "damaged"], { cwd });
    expect(code).toBe(3);
    expect(err).toContain(`note: the body ${body} does not match its digest`);
    expect(verdictsOf("damaged").counts.failed).toBe(0);
  });

  test("with changed lines is reported, and never passes", async () => {
    cpSync(join(cwd, "holds"), join(cwd, "shortened"), { recursive: true });
    const lines = readFileSync(join(cwd, "holds/exchanges.ndjson"), "utf8").split("\n");
    writeFileSync(join(cwd, "shortened/exchanges.ndjson"), `${lines.slice(0, 5).join("\n")}\n`);
    const { code, err } = await callAssay(["judge", "shortened"], { cwd });
    expect([code, verdictsOf("shortened").incomplete[0]?.code]).toEqual([3, "evidence-incomplete"]);
    expect(err).toMatch(/note: the footer lists \d+ exchanges, but 5 were found/u);
  });

  test.each([
    { name: "a folder without a manifest", run: "elsewhere", says: "is not a run folder" },
    { name: "a folder that does not exist", run: "nowhere", says: "there is no such folder" },
    { name: "a manifest of another version", run: "future", says: "is of another schema version than 1" },
    { name: "a manifest with a profile of strangers", run: "strange", says: "there is no profile" },
  ])("refuses $name with one sentence", async ({ run, says }) => {
    const manifest = JSON.parse(readFileSync(join(cwd, "holds/manifest.json"), "utf8"));
    cpSync(join(cwd, "holds"), join(cwd, "future"), { recursive: true });
    writeFileSync(join(cwd, "future/manifest.json"), JSON.stringify({ ...manifest, schemaVersion: 2 }));
    cpSync(join(cwd, "holds"), join(cwd, "strange"), { recursive: true });
    writeFileSync(join(cwd, "strange/manifest.json"), JSON.stringify({ ...manifest, profile: "\u001B[2J\nx" }));
    const { code, out, err } = await callAssay(["judge", run], { cwd });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^assay: [^\n\p{Cc}]+\n$/u);
    expect(err).toContain(says);
  });
});

describe("a run that does not come to its end", () => {
  const stream = readFileSync(fixturePath("conforms.any-interleaving.sse"));

  /** A run whose target answers only the first `count` searches. */
  const startRun = async (out: string, answers: number) => {
    let left = answers;
    const target = await httpTarget((_request, response) => {
      left -= 1;
      if (left >= 0) {
        response.end(stream);
      }
    });
    return startAssay(["run", "--url", target, "--out", out, "--rule", "two-fields"], { cwd });
  };
  const linesIn = (run: string): number => {
    const path = join(cwd, run, "exchanges.ndjson");
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
  };
  /** What the whole lines of the log of a run tell; each has to be JSON. */
  const eventsIn = (run: string): readonly unknown[] =>
    linesOf(join(cwd, run, "log.ndjson")).map((line): unknown => JSON.parse(line).event);
  const linesOf = (path: string): readonly string[] =>
    existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  const hasStarted = (run: string): boolean => existsSync(join(cwd, run, "exchanges.ndjson"));

  test.concurrent.each(everyNth([1, 0, 3, 5], 4))(
    "because it was killed after %i exchanges is read as incomplete, never as passed",
    { tags: "more" },
    async (exchanges) => {
      const run = `killed-${exchanges}`;
      const running = await startRun(run, exchanges);
      await running.until(() => hasStarted(run) && linesIn(run) >= exchanges);
      running.kill("SIGKILL");
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      expect(existsSync(join(cwd, run, "footer.json"))).toBe(false);
      expect(eventsIn(run)).not.toContain("run-finished");
      const { code, out, err } = await callAssay(["judge", run], { cwd });
      expect([code, verdictsOf(run).outcome, problem(verdictsOf(run))]).toEqual([3, "incomplete", undefined]);
      expect(out).not.toContain("PASSED");
      expect(err).toContain("footer.json is missing: the run was cut short");
    },
  );

  const signals = [
    { signal: "SIGTERM", exitCode: 143, lines: 1 },
    { signal: "SIGINT", exitCode: 130, lines: 0 },
  ] as const;
  test.concurrent.each(everyNth(signals, 2))(
    "because of $signal writes what it has and ends with $exitCode",
    { tags: "more" },
    async ({ signal, exitCode, lines }) => {
      const run = `ended-by-${signal}`;
      const running = await startRun(run, lines);
      await running.until(() => hasStarted(run) && linesIn(run) >= lines);
      running.kill(signal);
      const { code, out, err } = await running.ended;
      expect([code, err]).toEqual([exitCode, expect.not.stringContaining("bug")]);
      const written = writtenVerdicts(join(cwd, run));
      expect([written.result?.exitCode, written.exitCodeInSummary]).toEqual([exitCode, exitCode]);
      expect([written.result?.outcome, written.isRedInJunit]).toEqual(["interrupted", true]);
      expect(JSON.parse(readFileSync(join(cwd, run, "footer.json"), "utf8"))).toMatchObject({
        ended: "interrupted",
        reason: signal,
      });
      expect(out).toContain(`interrupted by ${signal}`);
      expect(`${out}${err}`).not.toMatch(/PASSED|\n {4}at /u);
      expect(linesIn(run)).toBeGreaterThanOrEqual(lines);
      expect([eventsIn(run)[0], eventsIn(run).at(-1)]).toEqual(["run-started", "run-finished"]);
      expect(await callAssay(["judge", run], { cwd })).toMatchObject({ code: exitCode });
    },
  );
});
