import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CanaryReport, LoadResult, LogEntry, RunResult, LoadThreshold } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { writeStoredLoad } from "../testing/stored-load.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const text = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");
const verdictsOf = (run: string): RunResult => JSON.parse(text(run, "verdicts.json"));
const call = (...args: readonly string[]) => callAssay(args, { cwd });

const run = (out: string, ...more: readonly string[]) =>
  call("run", "--repo", repository, "--rule", "two-fields", "--seed", "1", "--quiet", "--out", out, ...more);

const missed: LoadThreshold = { threshold: "ok-rate >= 0.99", limitFraction: 0.99, valueFraction: 0.5, ok: false };
const canary: CanaryReport = {
  outcome: "passed",
  summary: "all well",
  exchanges: 1,
  observedRules: 1,
  failed: [],
  folder: "canary",
};

beforeAll(async () => {
  await run("good");
  await run("bad", "--fault", "comment", "--baseline", "good");
  writeStoredLoad(join(cwd, "loads"), { id: "first", medianMs: 100 });
  writeStoredLoad(join(cwd, "loads"), { id: "second", medianMs: 200 });
});

describe("a baseline", () => {
  test("shows changes in every output of a run", async () => {
    const sentence = `1 rule fails that passed in run ${verdictsOf("good").run.id}`;
    expect(text("bad/summary.md")).toContain(sentence);
    expect(text("bad/report.html")).toContain(sentence);
    const { out, code } = await call("judge", "bad", "--baseline", "good", "--out", "judged");
    expect([code, out]).toEqual([1, expect.stringContaining(`changed: ${sentence}`)]);
    expect(text("judged/summary.md")).toBe(text("bad/summary.md"));
    expect(text("judged/report.html")).toBe(text("bad/report.html"));
  });

  test("of contract tests has a name, and is listed with those of load", async () => {
    expect((await call("baseline", "set", "released", "good")).out).toBe(
      "released: saved 1 contract-test run to reports/baselines/contract/released.json\n",
    );
    expect(text("reports/baselines/contract/released.json")).not.toMatch(/"curl"|"excerpt"|"url"/u);
    expect((await call("baseline", "list")).out).toMatch(/^released {2}contract tests on http:.*, passed, 20/u);
    const { code, out } = await call("report", "bad", "--baseline", "released", "--format", "comment");
    expect([code, out]).toEqual([1, expect.stringContaining("1 rule fails that passed in run")]);
  });

  test.each([
    { name: "that is not there", baseline: "god", says: "there is no run `god`; did you mean `good`?" },
    { name: "that is one of load", baseline: "loads/first", says: "compare load runs with `assay compare`" },
    { name: "that is many runs", baseline: "loads", says: "--baseline requires one run, and loads contains 2" },
    { name: "that is no result", baseline: "good/manifest.json", says: "good/manifest.json cannot be used: the whole" },
  ])("$name is refused before anything is sent", async ({ baseline, says }) => {
    const { code, out, err } = await run("never", "--baseline", baseline);
    expect([code, out, err, existsSync(join(cwd, "never"))]).toEqual([2, "", expect.stringContaining(says), false]);
    expect(err).toMatch(/^assay: [^\n]+\n$/u);
  });
});

describe("the evidence as HAR", () => {
  test("has the requests and responses, and gets the verdict of the run", async () => {
    expect(await call("report", "bad", "--har", "bad.har")).toMatchObject({ code: 1, err: "" });
    const { entries } = JSON.parse(text("bad.har")).log;
    expect(entries.length).toBe(JSON.parse(text("bad/verdicts.json")).exchanges.length);
    const judged = await call("check", "bad.har", "--json");
    const failed = (results: string): readonly string[] =>
      JSON.parse(results)
        .flatMap(({ verdicts }: { verdicts: readonly { rule: string; verdict: { outcome: string } }[] }) => verdicts)
        .filter(({ verdict }: { verdict: { outcome: string } }) => verdict.outcome === "failed")
        .map(({ rule }: { rule: string }) => rule);
    expect([judged.code, failed(judged.out)]).toEqual([1, failed(`[${text("bad/verdicts.json")}]`)]);
  });

  test.each([
    { name: "several runs", args: ["good", "bad"] },
    { name: "a result without evidence", args: ["good/verdicts.json"] },
  ])("of $name is refused with one sentence", async ({ args }) => {
    const { code, out, err } = await call("report", ...args, "--har", "none.har");
    expect([code, out, existsSync(join(cwd, "none.har"))]).toEqual([2, "", false]);
    expect(err).toMatch(/^assay: --har needs one contract-test run, [^\n]+\n$/u);
  });
});

describe("assay report", () => {
  test("makes the page of a run again, byte for byte", async () => {
    const before = text("good/report.html");
    rmSync(join(cwd, "good/report.html"));
    const { code, out } = await call("report", "good");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^good\/report\.html\n✓ good \(2\S+\): passed, exit code 0: 1 rule /u),
    ]);
    expect(text("good/report.html")).toBe(before);
  });

  test("makes one page, one JUnit and one CTRF file of several runs, and ends as the most severe does", async () => {
    const { code, out } = await call("report", "good", "bad", "loads", "--out", "all");
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^all\/report\.html\nall\/junit\.xml\nall\/ctrf\.json\nall\/summary\.md\n/u),
    ]);
    const junit = text("all/junit.xml");
    expect([junit.match(/<testsuite /gu), junit.match(/<failure /gu)]).toEqual([
      Array(4).fill("<testsuite "),
      ["<failure "],
    ]);
    expect(JSON.parse(text("all/ctrf.json")).results.summary).toMatchObject({ failed: 1 });
    const page = text("all/report.html");
    expect(["good", "bad"].filter((name) => !page.includes(verdictsOf(name).run.id))).toEqual([]);
  });

  test("shows the changes from one run to another", async () => {
    const { out } = await call("report", "good", "bad", "--baseline", "good", "--out", "both.html");
    expect(out).toMatch(/changed: 1 rule fails that passed in run/u);
    const page = text("both.html");
    expect(page).toContain("1 rule fails that passed in run");
    expect(page).toMatch(/<title>✗ failed · assay · 2 runs: good, bad<\/title>/u);
    expect(page).toMatch(/<tr id="stream\/[^"]+"[^>]*>(?:(?!<\/tr>).)*<span class="story">failed since bad: /u);
  });

  test.each([
    { name: "x.html", begins: "<!doctype html>" },
    { name: "x.xml", begins: "<?xml" },
    { name: "x.md", begins: "## ✗ Assay: failed (exit code 1)" },
    { name: "x.json", begins: '{\n"outcome": "failed"' },
    { name: "x-ctrf.json", begins: '{\n  "reportFormat": "CTRF"' },
  ])("writes $name as its name says", async ({ name, begins }) => {
    expect((await call("report", "bad", "--out", name)).code).toBe(1);
    expect(text(name).toLowerCase().startsWith(begins.toLowerCase())).toBe(true);
  });

  test.each(["html", "junit", "ctrf", "markdown", "comment", "json", "github"])("prints %s", async (format) => {
    const first = await call("report", "bad", "--format", format);
    expect([first.code, first.err, first.out.length > 50]).toEqual([1, "", true]);
    expect(await call("report", "bad", "--format", format)).toEqual(first);
  });

  test("writes the text of a comment", async () => {
    const { code, out } = await call("report", "bad", "--comment", "new/comment.md", "--comment-id", "Staging EU");
    expect([code, out]).toEqual([1, ""]);
    expect(text("new/comment.md")).toMatch(/^<!-- assay:staging-eu -->\n## ✗ Assay: failed \(exit code 1\)\n/u);
  });

  test.each([
    { name: "before it was judged", missing: ["verdicts.json", "report.html"] },
    { name: "before all was recorded", missing: ["footer.json", "verdicts.json", "report.html"] },
  ])("says of a run that was killed $name how to judge it", async ({ name, missing }) => {
    const killed = `killed ${name}`.replaceAll(" ", "-");
    cpSync(join(cwd, "good"), join(cwd, killed), { recursive: true });
    for (const file of missing) {
      rmSync(join(cwd, killed, file));
    }
    const { code, out } = await call("report", killed);
    expect([code, out]).toEqual([3, expect.stringContaining(`not judged yet: \`assay judge ${killed}\``)]);
    expect(text(`${killed}/report.html`)).toMatch(/not judged yet/u);
  });

  test("shows a run that was killed after its last response once it is judged, with a note that it was interrupted", async () => {
    cpSync(join(cwd, "good"), join(cwd, "cut"), { recursive: true });
    rmSync(join(cwd, "cut/verdicts.json"));
    const judged = await call("judge", "cut");
    expect([judged.code, judged.err]).toEqual([
      0,
      expect.stringContaining("note: the run was interrupted before it was judged"),
    ]);
    expect((await call("judge", "cut")).err).toBe("");
    expect((await call("report", "cut")).code).toBe(0);
    expect(text("cut/verdicts.json")).toBe(text("good/verdicts.json"));
  });

  test("never takes the canary of a load run that was killed for the run", async () => {
    cpSync(join(cwd, "good"), join(cwd, "killed-loads/one/canary"), { recursive: true });
    writeFileSync(join(cwd, "killed-loads/one/load-run.json"), "{}");
    for (const named of ["killed-loads/one", "killed-loads"]) {
      const { code, out, err } = await call("report", named);
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringMatching(/^assay: killed-loads\/one is an unfinished load run [^\n]+ with `assay judge`\n$/u),
      ]);
    }
  });

  test("reports folders without a run among those with runs", async () => {
    mkdirSync(join(cwd, "some/nothing"), { recursive: true });
    cpSync(join(cwd, "good"), join(cwd, "some/run"), { recursive: true });
    const { code, err } = await call("report", "some", "--format", "markdown");
    expect([code, err]).toEqual([0, "note: skipped some/nothing, which contains no run\n"]);
  });

  test.each<[string, (load: LoadResult) => Partial<LoadResult>, string]>([
    ["missed a threshold", () => ({ thresholds: [missed] }), "performance-failed"],
    ["had a canary that failed", () => ({ canary: { ...canary, outcome: "failed" } }), "failed"],
    [
      "had a canary with a violation",
      () => ({ canary: { ...canary, failed: [{ rule: "r", message: "m" }] } }),
      "failed",
    ],
    ["left something behind", () => ({ cleanUp: { created: 1, removed: 0, left: ["x"] } }), "cleanup-incomplete"],
  ])("refuses a load run that passed although it %s", async (_name, change, says) => {
    const load: LoadResult = JSON.parse(text("loads/first/load.json"));
    writeFileSync(join(cwd, "edited-load.json"), JSON.stringify({ ...load, ...change(load) }));
    const { code, err } = await call("report", "edited-load.json", "--format", "junit");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `edited-load.json contradicts itself: its outcome is passed, but its content means ${says}`,
      ),
    ]);
  });

  test.each([
    {
      name: "what it reads",
      args: ["bad", "--out", "bad/verdicts.json"],
      says: "would replace a source of the report",
    },
    { name: "what it reads, by a link", args: ["bad", "--out", "link.json"], says: "would replace a source" },
    {
      name: "evidence",
      args: ["bad", "--comment", "bad/footer.json"],
      says: "--comment bad/footer.json would replace",
    },
    {
      name: "a file it reads",
      args: ["bad/verdicts.json", "--out", "bad/verdicts.json"],
      says: "would replace a source",
    },
    { name: "a device", args: ["bad", "--out", "device.html"], says: "--out device.html is not a regular file" },
    { name: "standard output", args: ["bad", "--out", "-"], says: "--out requires the name of a file; to print" },
    { name: "a folder as a comment", args: ["bad", "--comment", "good"], says: "--comment good is not a regular file" },
    {
      name: "a file of no format",
      args: ["bad", "--out", "plain"],
      says: "--out plain is a file whose extension selects no",
    },
    {
      name: "a name of no format",
      args: ["bad", "--out", "x.txt"],
      says: "x.txt ends with none of .html, .xml, .md and",
    },
    {
      name: "below a file",
      args: ["bad", "--out", "plain/x.html"],
      says: "plain/x.html cannot be written; choose another",
    },
  ])("does not write to $name", async ({ args, says }) => {
    rmSync(join(cwd, "link.json"), { force: true });
    rmSync(join(cwd, "device.html"), { force: true });
    symlinkSync("bad/verdicts.json", join(cwd, "link.json"));
    symlinkSync("/dev/full", join(cwd, "device.html"));
    writeFileSync(join(cwd, "plain"), "x");
    const before = ["verdicts.json", "footer.json"].map((file) => text("bad", file));
    const { code, out, err } = await call("report", ...args);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
    expect(err).toMatch(/^assay: [^\n]+\n$/u);
    expect(["verdicts.json", "footer.json"].map((file) => text("bad", file))).toEqual(before);
  });

  test("finds a run by its id", async () => {
    const id = verdictsOf("good").run.id;
    cpSync(join(cwd, "good"), join(cwd, "reports/runs", id), { recursive: true });
    const { code, out } = await call("report", id, "--format", "markdown");
    expect([code, out]).toEqual([0, text("good/summary.md")]);
  });

  const edited = (name: string, change: (result: Record<string, unknown>) => void): string => {
    const result: Record<string, unknown> = JSON.parse(text("bad/verdicts.json"));
    change(result);
    mkdirSync(join(cwd, "edited"), { recursive: true });
    writeFileSync(join(cwd, "edited", `${name}.json`), JSON.stringify(result));
    return `edited/${name}.json`;
  };
  const failing = { schemaVersion: 3 };

  test.each([
    {
      name: "was given another end",
      path: () =>
        edited("lie", (result) => Object.assign(result, { outcome: "passed", exitCode: 0, summary: "all is well" })),
      says: "edited/lie.json",
    },
    {
      name: "was given a milder end that fits the schema",
      path: () => edited("mild", (result) => Object.assign(result, { outcome: "incomplete", exitCode: 3 })),
      says: "edited/mild.json contradicts itself: it says incomplete, and its verdicts say failed",
    },
    {
      name: "lacks a member deep within",
      path: () =>
        edited("deep", (result) =>
          Object.assign(result, { unspecified: [{ behaviour: "x", seen: [{ kind: "note" }] }] }),
        ),
      says: "edited/deep.json cannot be used: /unspecified/0/seen/0 must have required property 'message'",
    },
    {
      name: "is of another version",
      path: () => edited("new", (r) => Object.assign(r, failing)),
      says: "schema version 3",
    },
    {
      name: "is a word",
      path: () => {
        writeFileSync(join(cwd, "word.json"), "\u001B[2J");
        return "word.json";
      },
      says: "word.json is not JSON",
    },
    {
      name: "is a device",
      path: () => {
        symlinkSync("/dev/zero", join(cwd, "zero.json"));
        return "zero.json";
      },
      says: "zero.json is not a regular file",
    },
    {
      name: "is an empty folder",
      path: () => {
        mkdirSync(join(cwd, "empty"));
        return "empty";
      },
      says: "empty contains no run",
    },
    { name: "is mistyped", path: () => "bda", says: "there is no run `bda`; did you mean `bad`?" },
  ])("refuses with one sentence what $name", async ({ path, says }) => {
    const { code, out, err } = await call("report", path());
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
    expect(err).toMatch(/^assay: [^\n\p{Cc}]+\n$/u);
  });

  test("never prints a build system command from a stored file", async () => {
    const path = edited("hostile", (result) =>
      Object.assign(result, { run: { ...Object(result["run"]), id: "::error::x", target: "\n::stop-commands::x" } }),
    );
    const { out } = await call("report", path, "--out", "hostile.html");
    expect(out.split("\n").filter((line) => /^\s*::/u.test(line))).toEqual([]);
    expect(text("hostile.html")).not.toContain("\n::");
  });
});

test.each(["json", "ctrf", "junit", "markdown"])("%s contains no build system command", async (format) => {
  const result: RunResult = JSON.parse(text("bad/verdicts.json"));
  const target = "http://t/##[error]x##vso[task.setvariable]";
  const hostile = {
    ...result,
    summary: `${result.summary}; also incomplete (1 reason)`,
    incomplete: [{ code: "transport", message: target }],
    run: { ...result.run, target, profile: target },
  };
  writeFileSync(join(cwd, "commands.json"), JSON.stringify(hostile));
  const { code, out } = await call("report", "commands.json", "--format", format);
  expect([code, /##\[|##vso\[/u.test(out), out.includes("task.setvariable")]).toEqual([1, false, true]);
});

describe("the log of a run", () => {
  const entriesIn = (path: string): readonly LogEntry[] =>
    text(path)
      .trimEnd()
      .split("\n")
      .map((line): LogEntry => JSON.parse(line));

  test("begins with the run, has each request and each verdict, and ends as the process does", () => {
    const entries = entriesIn("bad/log.ndjson");
    const { run: storedRun, exchanges, verdicts, outcome, exitCode, summary } = verdictsOf("bad");
    expect(entries[0]).toMatchObject({
      event: "run-started",
      kind: "contract",
      run: { id: storedRun.id, target: storedRun.target },
    });
    expect(entries.filter(({ event }) => event === "probe-finished")).toHaveLength(exchanges.length);
    expect(entries.filter(({ event }) => event === "verdict")).toHaveLength(verdicts.length);
    expect(entries.at(-1)).toMatchObject({ event: "run-finished", outcome, exitCode, summary });
  });

  test("goes to an additional file, or to standard output instead of the report", async () => {
    const { out } = await run("logged", "--log", "further.ndjson");
    expect([text("further.ndjson"), out]).toEqual([text("logged/log.ndjson"), expect.stringContaining(" passed=1 ")]);
    const printed = await run("printed", "--log", "-");
    expect([printed.out, printed.err]).toEqual([text("printed/log.ndjson"), ""]);
  });

  test("that cannot be written is refused before anything is sent", async () => {
    const both = await call("run", "--out", "unlogged", "--log", "-", "--json");
    expect([both.code, both.out, both.err]).toEqual([2, "", expect.stringContaining("both write to standard output")]);
    const { code, err } = await run("unlogged", "--log", "nowhere/log.ndjson");
    expect([code, err]).toEqual([2, expect.stringContaining("the log nowhere/log.ndjson cannot be written (ENOENT)")]);
    expect(existsSync(join(cwd, "unlogged"))).toBe(false);
  });

  test("reports a run that cannot continue", async () => {
    const { code } = await run("good");
    const before = text("good/log.ndjson");
    expect([code, text("good/log.ndjson")]).toEqual([2, before]);
  });
});
