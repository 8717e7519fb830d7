import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { everyNth, isProving } from "@assay/tools/proving";
import { createChecker } from "@assay/reading";
import { type RunResult, RunResultShape } from "@assay/results";
import { describe, expect, test } from "vitest";
import { startAssay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const { problem } = createChecker(RunResultShape);

/** Tests about the command use streams, because conversations take longer. */
const streams = ["--interface", "stream"] as const;
const smallest = ["--profile", "smoke", ...streams] as const;

const read = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");
const verdictsOf = (run: string): RunResult => JSON.parse(read(run, "verdicts.json"));

describe("a run without a target", () => {
  const ends = [
    // All rules of streams in `npm run prove`, where the tour of the README runs the rest.
    { name: "holds", args: isProving ? streams : smallest, exitCode: 0, outcome: "passed", word: "PASSED" },
    { name: "is violated", args: ["--fault", "no-done", ...smallest], exitCode: 1, outcome: "failed", word: "FAILED" },
    {
      name: "is incomplete",
      args: ["--fault", "html-200", ...smallest],
      exitCode: 3,
      outcome: "incomplete",
      word: "INCOMPLETE",
    },
    {
      name: "only warns",
      args: ["--fault", "match-count-falls", ...smallest],
      exitCode: 0,
      outcome: "passed",
      word: "PASSED",
    },
  ];
  test.each(everyNth(ends, 2))(
    "that $name leaves files that agree with its exit code $exitCode",
    { tags: "more" },
    async ({ name, args, exitCode, outcome, word }) => {
      const run = `run that ${name}`;
      const { code, out } = await callAssay(["run", "--repo", repository, "--out", run, ...args], { cwd });
      expect([code, out.includes(`${word}  exit code ${exitCode}`)]).toEqual([exitCode, true]);

      expect(problem(verdictsOf(run))).toBeUndefined();
      expect(verdictsOf(run)).toMatchObject({ outcome, exitCode, run: { embedded: true } });

      const { counts, verdicts } = verdictsOf(run);
      const junit = read(run, "junit.xml");
      // One case more than rules: the run itself.
      expect(junit.match(/<testcase /gu)).toHaveLength(verdicts.length + 1);
      expect(junit.match(/<failure /gu) ?? []).toHaveLength(counts.failed);
      expect(/<(?:failure|error) /u.test(junit)).toBe(exitCode !== 0);
      const summary = read(run, "summary.md");
      expect(summary).toContain(`exit code ${exitCode}`);
      expect(JSON.parse(read(run, "footer.json"))).toMatchObject({ ended: "complete" });
    },
  );

  test("shows progress on standard error and the report on standard output", async () => {
    const { out, err } = await callAssay(["run", "--repo", repository, ...smallest, "--out", "progress"], { cwd });
    // Only a busy machine needs more than the ten seconds after which there is a line.
    expect(err).toMatch(/^(?:\d+ of (?:about )?\d+ probes.*\n|judging(?:: \d+ of \d+ (?:exchanges|rules).*)?\n)*$/u);
    expect(out.split("\n").at(-2)).toBe("report: progress/report.html");
  });

  test("shows with -v every request", async () => {
    const { err } = await callAssay(["run", "--repo", repository, ...smallest, "-v", "--out", "requests"], { cwd });
    expect(err).toMatch(/^done {6}a plain search {2}status 200, .*\n(?:done .*\n){4,}judging\n$/u);
  });

  test("prints exactly the written file with --json", async () => {
    const args = ["run", "--repo", repository, ...smallest, "--json", "--out", "json"];
    const { code, out, err } = await callAssay(args, { cwd });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(read("json", "verdicts.json"));
  });

  test("prints with --quiet one line", async () => {
    const args = ["run", "--repo", repository, ...smallest, "--quiet", "--out", "quiet"];
    const { out, err } = await callAssay(args, { cwd });
    expect([err, out]).toEqual(["", expect.stringMatching(/^✓ verdict=passed exit=0 [^\n]* files=quiet\n$/u)]);
  });

  test.each(everyNth(["--quiet", "-q", "--reporter=agent", "--reporter=quiet"], 4))(
    "prints with %s a line for each finding",
    { tags: "more" },
    async (flag) => {
      const args = ["run", "--repo", repository, ...smallest, "--fault", "comment", flag, "--out", `findings${flag}`];
      const { code, out, err } = await callAssay(args, { cwd });
      const lines = out.trimEnd().split("\n");
      expect([code, err, lines[0]?.slice(0, 23)]).toEqual([1, "", "✗ verdict=failed exit=1"]);
      expect(lines.slice(1, -1).every((line) => line.startsWith("failed stream/two-fields"))).toBe(true);
    },
  );

  test("writes to a folder of its own below the working folder, for its owner alone", async () => {
    // One question: then there is a ledger, too.
    const rules = ["--rule", "two-fields", "--rule", "legacy/create-is-accepted"];
    const { code } = await callAssay(["run", "--repo", repository, ...rules, "--quiet"], { cwd });
    expect(code).toBe(0);
    const [run = ""] = readdirSync(join(cwd, "reports/runs"));
    expect(run).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/u);
    const files = readdirSync(join(cwd, "reports/runs", run));
    expect(files.sort()).toEqual([
      "bodies",
      "ctrf.json",
      "exchanges.ndjson",
      "footer.json",
      "junit.xml",
      "ledger.ndjson",
      "log.ndjson",
      "manifest.json",
      "report.html",
      "summary.md",
      "timelines.json",
      "verdicts.json",
    ]);
    const modes = files.map((file) => statSync(join(cwd, "reports/runs", run, file)).mode & 0o077);
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  test("keeps its exit code if its output has no reader", async () => {
    const running = startAssay(["run", "--repo", repository, ...smallest, "--out", "unread"], { cwd });
    running.closeOutputs();
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  test("uses a variable unless a flag is given", async () => {
    const env = { ASSAY_PROFILE: "smoke", ASSAY_SEED: "5", ASSAY_STRICT: "false", ASSAY_REPO: repository };
    const args = ["run", "--seed", "6", ...streams, "--quiet", "--out", "variables"];
    const { code } = await callAssay(args, { cwd, env });
    expect([code, verdictsOf("variables").run]).toMatchObject([0, { profile: "smoke", seed: 6, strict: false }]);
  });
});

test("faults that are given together are there together, and each is found", async () => {
  const faults = ["--fault", "comment", "--fault", "done-not-empty", "--fault", "match-count-falls"];
  const args = [
    "run",
    "--repo",
    repository,
    "--profile",
    "smoke",
    ...streams,
    ...faults,
    "--out",
    "together",
    "--quiet",
  ];
  expect((await callAssay(args, { cwd })).code).toBe(1);
  expect(speaking(verdictsOf("together"))).toEqual(
    expect.arrayContaining(["stream/two-fields", "stream/done-is-an-empty-object", "stream/match-count-never-falls"]),
  );
});

describe("a run against a server in another process", () => {
  const serve = (...args: readonly string[]) => startAssay(["serve", "--json", "--repo", repository, ...args], { cwd });

  test.each(
    everyNth(
      [
        { fault: "no-done", rule: "stream/done-is-last", exitCode: 1 },
        { fault: "anonymous-refused", rule: "stream/anonymous-search-is-accepted", exitCode: 1 },
        { fault: "display-exceeded", rule: "stream/display-bounds-matches", exitCode: 1 },
      ],
      3,
    ),
  )("with the fault $fault makes $rule fail and no other", { tags: "more" }, async ({ fault, rule, exitCode }) => {
    const server = serve("--fault", fault, "--seed", "3");
    const { url, tokens } = JSON.parse(await server.firstLine());
    const env = { ASSAY_TOKEN: tokens.access, ASSAY_OAUTH_TOKEN: tokens.oauth, ASSAY_INTERFACE: "stream" };
    const access = fault.startsWith("anonymous") ? "public" : "private";
    const profile = isProving ? "gate" : "smoke";
    const args = ["run", "--url", url, "--access", access, "--profile", profile, "--out", fault, "--quiet"];
    const { code } = await callAssay(args, { cwd, env });
    server.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
    const violated = verdictsOf(fault).verdicts.filter(({ verdict }) => verdict.outcome === "failed");
    expect([code, violated.map((verdict) => verdict.rule)]).toEqual([exitCode, [rule]]);
    expect(speaking(verdictsOf(fault)).filter((id) => !id.endsWith("-is-known"))).toEqual([rule]);
  });

  test("finds it through SRC_ENDPOINT, below a path or not, and takes the token of src", async () => {
    const server = serve();
    const { url, token } = JSON.parse(await server.firstLine());
    const env = { SRC_ENDPOINT: `${url}/`, SRC_ACCESS_TOKEN: token, ASSAY_INTERFACE: "stream" };
    const { code } = await callAssay(["run", "--profile", "smoke", "--quiet", "--out", "src"], { cwd, env });
    const prefixed = await callAssay(["run", "--profile", "smoke", "--quiet", "--out", "prefix"], {
      cwd,
      env: { ...env, SRC_ENDPOINT: `${url}/code` },
    });
    server.kill("SIGTERM");
    await server.ended;
    expect([code, verdictsOf("src").run]).toMatchObject([0, { target: url, embedded: false }]);
    expect([prefixed.code, verdictsOf("prefix").incomplete[0]?.code]).toEqual([3, "not-the-api"]);
  });

  test("is left alone with --embedded", async () => {
    const env = { SRC_ENDPOINT: "http://127.0.0.1:1" };
    const args = ["run", "--embedded", "--repo", repository, ...smallest, "--quiet", "--out", "embedded"];
    expect(await callAssay(args, { cwd, env })).toMatchObject({ code: 0 });
    expect(verdictsOf("embedded").run.embedded).toBe(true);
  });
});

describe("the reference server", () => {
  test("prints one line when it is ready, answers searches, and ends in good order", async () => {
    const server = startAssay(["serve", "--json", "--repo", repository, "--seed", "1"], { cwd });
    const line = JSON.parse(await server.firstLine());
    expect(line).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u),
      token: line.tokens.access,
      tokens: {
        access: expect.any(String),
        oauth: expect.any(String),
        other: expect.any(String),
        noScope: expect.any(String),
        noScopeOauth: expect.any(String),
        read: expect.any(String),
        write: expect.any(String),
        quota: expect.any(String),
        entitlement: expect.any(String),
      },
      access: "private",
      sharing: true,
      environment: {
        SRC_ENDPOINT: line.url,
        SRC_ACCESS_TOKEN: line.tokens.access,
        ASSAY_OAUTH_TOKEN: line.tokens.oauth,
        ASSAY_UNSCOPED_TOKEN: line.tokens.noScope,
        ASSAY_UNSCOPED_OAUTH_TOKEN: line.tokens.noScopeOauth,
        ASSAY_OTHER_TOKEN: line.tokens.other,
        ASSAY_READ_TOKEN: line.tokens.read,
        ASSAY_WRITE_TOKEN: line.tokens.write,
        ASSAY_QUOTA_TOKEN: line.tokens.quota,
        ASSAY_ENTITLEMENT_TOKEN: line.tokens.entitlement,
        ASSAY_ACCESS: "private",
        ASSAY_SHARING: "on",
      },
    });
    const search = (authorization?: string) =>
      fetch(`${line.url}/.api/search/stream?q=test`, authorization === undefined ? {} : { headers: { authorization } });
    const answers = await Promise.all([search(`token ${line.token}`), search(`Bearer ${line.tokens.oauth}`), search()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
    expect(await answers[0]?.text()).toMatch(/^event: [a-z]+\ndata: .*\n\n[^]*event: done\ndata: \{\}\n\n$/u);
    server.kill("SIGINT");
    expect(await server.ended).toMatchObject({ code: 0, err: "", out: `${JSON.stringify(line)}\n` });
  });

  test("greets people with a line that searches", async () => {
    const server = startAssay(["serve", "--repo", repository, "--fault", "crlf", "--fault", "no-done"], { cwd });
    await server.firstLine();
    server.kill("SIGTERM");
    const { out } = await server.ended;
    expect(out).toMatch(/^assay reference server at http:/u);
    expect(out).toContain("misbehaves: Lines have carriage returns, for example at every line ending.");
    expect(out.match(/^misbehaves: /gmu)).toHaveLength(2);
    expect(out).toMatch(/curl -N -H "Authorization: token \$SRC_ACCESS_TOKEN"/u);
  });
});
