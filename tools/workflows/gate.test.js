import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { everyNth } from "../proving.js";
import { actions, startCommandHost, removeStepFoldersAfterTests, root, startServer, step } from "./actions-step.js";

removeStepFoldersAfterTests();
const nowhere = { url: "http://127.0.0.1:1", token: "a-token-12345" };
const on = ({ url, token }, other = {}) => ({
  GATE_URL: url,
  ASSAY_TOKEN: token,
  GATE_ACCESS: "private",
  GATE_PROFILE: "smoke",
  GATE_QUERY: "test count:200",
  ...other,
});

const runOf = (outputs) => JSON.parse(readFileSync(join(outputs["run-folder"], "verdicts.json"), "utf8")).run;

/** Search streams are enough for most tests here. */
const streams = () => {
  const one = step();
  writeFileSync(join(one.cwd, "assay.config.json"), '{"run":{"interface":["stream"]}}');
  return one;
};

let own;
/** A gate whose command runs in the shared process. */
const hosted = (variables, one = step()) => one.run("gate/gate.sh", { ...own, ...variables });

/** Results of two gates: on a correct server, then on a faulty one. */
const servers = {};
const left = {};
beforeAll(async () => {
  own = await startCommandHost();
  [servers.well, servers.broken] = await Promise.all([startServer(), startServer("--fault", "comment")]);
  left.well = await streams().run("gate/gate.sh", on(servers.well));
  const flags = { GATE_COMMENT: "true", GATE_BASELINE: left.well.outputs["run-folder"] };
  left.broken = await streams().run("gate/gate.sh", on(servers.broken, flags));
});

describe.concurrent("a target with credentials", () => {
  test("that keeps the contract passes", () => {
    const { code, outputs, log } = left.well;
    expect(outputs).toMatchObject({
      outcome: "passed",
      "exit-code": "0",
      summary: expect.stringMatching(/^(?:all \d+|\d+ of \d+) rules passed/u),
    });
    expect(code).toBe(0);
    expect(outputs.artifact).toMatch(/^assay-127\.0\.0\.1-\d+-assay-[a-z0-9]+-1$/u);
    expect(runOf(outputs)).toMatchObject({ target: servers.well.url, embedded: false });
    expect(log).not.toContain(servers.well.token);
  });

  test("that breaks the contract fails, and its run is kept", async () => {
    const { code, outputs, summary } = left.broken;
    expect([code, outputs.outcome, outputs["exit-code"]]).toEqual([0, "failed", "1"]);
    expect(readdirSync(outputs["run-folder"])).toEqual(expect.arrayContaining(["verdicts.json", "junit.xml"]));
    expect(outputs.report).toBe(join(outputs["run-folder"], "report.html"));
    expect(summary).toContain("two-fields");
    expect(outputs["comment-artifact"]).toMatch(/^assay-comment-gate-127\.0\.0\.1-\d+-\d+-1-[a-z0-9]+$/u);
    expect(readFileSync(join(outputs["comment-folder"], "pull-request.txt"), "utf8")).toBe("7\n");
    expect(readFileSync(join(outputs["comment-folder"], "comment.md"), "utf8")).toContain("two-fields");
    const finish = { EXIT_CODE: outputs["exit-code"], SENTENCE: outputs.summary };
    expect(await step().run("gate/finish.sh", finish)).toMatchObject({ code: 1 });
  });

  test("that cannot be reached is incomplete, without a verdict", async () => {
    const { outputs } = await hosted(on(nowhere));
    expect(outputs).toMatchObject({
      outcome: "incomplete",
      "exit-code": "3",
      summary: expect.stringContaining("refused"),
    });
  });

  test("that is public needs none", { tags: "proof" }, async () => {
    const variables = on({ ...nowhere, token: "" }, { GATE_ACCESS: "public" });
    expect((await hosted(variables)).outputs).toMatchObject({ outcome: "incomplete" });
  });

  test("is shut down cleanly when the job is cancelled", { tags: "proof" }, async () => {
    const slow = await startServer("--latency", "overloaded");
    const running = step().start("gate/gate.sh", on(slow, { GATE_PROFILE: "" }));
    await running.said(" probes");
    running.child.kill("SIGINT");
    const { code, outputs } = await running.ended;
    expect([code, outputs.outcome, outputs["exit-code"]]).toEqual([0, "interrupted", "130"]);
    expect(existsSync(join(outputs["run-folder"], "footer.json"))).toBe(true);
  });
});

describe("two runs", () => {
  test("are shown side by side with what changed, whatever their verdicts are", async () => {
    const [BEFORE, AFTER] = [left.well, left.broken].map(({ outputs }) => outputs["run-folder"]);
    const { code, outputs, summary } = await step().run("gate/what-changed.sh", { BEFORE, AFTER });
    expect(code).toBe(0);
    expect(readdirSync(outputs.folder)).toContain("report.html");
    expect(summary).toContain("two-fields");
    const missing = await step().run("gate/what-changed.sh", { BEFORE: "missing", AFTER });
    expect([missing.code, missing.outputs]).toEqual([2, {}]);
  });

  test(
    "the first of which learned nothing say nothing of what changed, which is no success",
    { tags: "proof" },
    async () => {
      const down = await hosted(on(nowhere));
      const [BEFORE, AFTER] = [down, left.well].map(({ outputs }) => outputs["run-folder"]);
      const { code, log, outputs } = await step().run("gate/what-changed.sh", { BEFORE, AFTER });
      expect([code, existsSync(outputs.folder)]).toEqual([3, true]);
      expect(log).toMatch(/^::error title=Assay::nothing can be said .* is not complete \(.*refused.*\)$/mu);
    },
  );
});

const run = (exitCode, ...verdicts) => ({
  exitCode,
  summary: "as it is\n::error::x",
  verdicts: verdicts.map(([rule, outcome]) => ({ rule, verdict: { outcome } })),
});

describe("what changed", () => {
  test.each([
    { name: "two that judged one rule", before: run(1, ["a", "failed"]), after: run(0, ["a", "passed"]), says: /^$/u },
    {
      name: "two that judged nothing in common",
      before: run(0, ["a", "passed"], ["b", "blocked"]),
      after: run(0, ["a", "not-tested"], ["b", "passed"]),
      says: /no rule was judged in both runs$/u,
    },
    {
      name: "an interrupted first one",
      before: run(130, ["a", "passed"]),
      after: run(0, ["a", "passed"]),
      says: /^[^\n]*not complete \(as it is ::error::x\)$/u,
    },
  ])("$name can be compared, or not", async ({ before, after, says }) => {
    const one = step();
    for (const [name, result] of Object.entries({ before, after })) {
      mkdirSync(join(one.cwd, name));
      writeFileSync(join(one.cwd, name, "verdicts.json"), JSON.stringify(result));
    }
    const { code, log } = await one.runText(`node "${join(actions, "gate/not-compared.mjs")}" before after`);
    expect([code, log]).toEqual([0, expect.stringMatching(says)]);
  });
});

describe.concurrent("without credentials", () => {
  const variables = { GATE_URL: "https://Staging.example.com/base", ASSAY_TOKEN: "", GATE_COMMENT: "true" };

  test("the target is not tested, which is shown clearly and never as passed", { tags: "proof" }, async () => {
    const one = streams();
    const given = { ...variables, SRC_ENDPOINT: "", GATE_PROFILE: "smoke" };
    const { code, log, outputs, summary } = await one.run("gate/gate.sh", given);
    const sentence = "not run against staging.example.com: no credentials";
    expect(code).toBe(0);
    expect(outputs).toMatchObject({ outcome: "not-gated", "exit-code": "0", summary: sentence });
    expect(log).toContain(`::warning title=Assay: not gated::${sentence}.`);
    expect(summary).toContain(`**${sentence}.**`);
    expect(readFileSync(join(outputs["comment-folder"], "comment.md"), "utf8")).toContain(`**${sentence}.**`);
    expect(`${log}${summary}`).not.toMatch(/passed/iu);
    expect(outputs.artifact).toContain("reference-server");
    expect(runOf(outputs).embedded).toBe(true);
  });

  test("it fails where credentials are required", { tags: "proof" }, async () => {
    const { log, outputs } = await hosted({ ...variables, GATE_REQUIRE_CREDENTIALS: "true" });
    expect(outputs).toMatchObject({
      outcome: "usage-error",
      "exit-code": "2",
      summary: expect.stringContaining("ASSAY_TOKEN"),
    });
    expect(log).toContain("::error title=Assay::no credentials were given");
  });
});

describe("a mistake", () => {
  test.concurrent.each(
    everyNth(
      [
        { name: "a token and no target", variables: { ASSAY_TOKEN: "a-token-12345" }, says: "a token and no target" },
        {
          name: "a token and an empty endpoint",
          variables: { SRC_ACCESS_TOKEN: "a-token-12345", SRC_ENDPOINT: "" },
          says: "no target",
        },
        {
          name: "a switch that is none",
          variables: { GATE_STRICT: "yes\n::error::x" },
          says: 'strict is "yes ::error::x"; it takes true or false',
        },
        { name: "a folder that is several", variables: { GATE_OUT: "a\nb" }, says: "the input out" },
        { name: "a folder that is a pattern", variables: { GATE_OUT: "/**" }, says: "the input out" },
        {
          name: "an address that is none",
          variables: { ASSAY_TOKEN: "a-token-12345", GATE_URL: "staging" },
          code: "2",
          says: "it ended before",
        },
        {
          name: "a profile that is not there",
          variables: { ASSAY_TOKEN: "a-token-12345", GATE_URL: "http://127.0.0.1:1", GATE_PROFILE: "nightly" },
          says: "it ended before",
        },
      ],
      4,
    ),
  )("$name is exit code 2", { tags: "more" }, async ({ variables, says }) => {
    const { code, log, outputs } = await hosted(variables);
    expect([code, outputs["exit-code"], outputs.outcome]).toEqual([0, "2", "usage-error"]);
    expect(outputs.summary).toContain(says);
    expect(log.match(/^::error/gmu)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test.each(["", "x", "0\n1", "-1"])("an exit code %j is a failure", async (EXIT_CODE) => {
    expect(await step().run("gate/finish.sh", { EXIT_CODE })).toMatchObject({ code: 70 });
  });

  test.each([0, 1, 3, 130])("the exit code %d is kept", async (expected) => {
    expect(await step().run("gate/finish.sh", { EXIT_CODE: String(expected) })).toMatchObject({ code: expected });
  });
});

describe("hostile inputs", () => {
  const names = [
    "TARGET",
    "PROFILE",
    "LIMITS",
    "QUESTIONS",
    "KNOWN_FAILURES",
    "BASELINE",
    "ACCESS",
    "QUERY",
    "CONFIG",
    "ARTIFACT",
  ];
  const variablesOf = (value) => Object.fromEntries(names.map((name) => [`GATE_${name}`, value]));
  const values = [
    "'\"; touch pwned; $(touch pwned) `touch pwned` a[$(touch pwned)] # \n::set-output name=outcome::passed\noutcome=passed",
    "--help",
  ];
  const token = { ASSAY_TOKEN: "a-token-12345" };

  test.concurrent.each(everyNth(values, 2))(
    "%j in all of them runs nothing and decides nothing",
    { tags: "more" },
    async (value) => {
      const gate = step();
      const { code, log, outputs } = await hosted({ ...token, GATE_URL: value, ...variablesOf(value) }, gate);
      expect([code, outputs.outcome, outputs["exit-code"]]).toEqual([0, "usage-error", "2"]);
      expect(readdirSync(gate.cwd)).toEqual([]);
      expect(log).not.toMatch(/^::set-output/mu);
    },
  );

  test.concurrent.each(values)("%j where any text may stand is that text", { tags: "proof" }, async (value) => {
    const gate = step();
    const variables = {
      GATE_URL: "http://127.0.0.1:1",
      GATE_PROFILE: "smoke",
      GATE_QUERY: value,
      GATE_ARTIFACT: value,
    };
    const { outputs } = await hosted({ ...token, ...variables }, gate);
    expect(outputs).toMatchObject({ outcome: "incomplete", "exit-code": "3", artifact: value });
    expect(readdirSync(gate.cwd)).toEqual([]);
  });

  test.concurrent.each(values)("%j as an address does not appear in the output", { tags: "proof" }, async (value) => {
    const gate = step();
    const { log, outputs } = await hosted({ GATE_URL: `https://${value}`, GATE_REQUIRE_CREDENTIALS: "true" }, gate);
    expect([outputs.outcome, outputs["exit-code"]]).toEqual(["usage-error", "2"]);
    expect(log.trim().split("\n")).toEqual([expect.stringMatching(/^::error title=Assay::/u)]);
    expect(readdirSync(gate.cwd)).toEqual([]);
  });
});

/** A minimal repository; npm really runs in it. */
const repository = () => {
  const one = step();
  const folder = join(one.cwd, "repository");
  mkdirSync(join(folder, ".github/actions/gate"), { recursive: true });
  const scripts = { build: "node build.js", "k6:build": "node build.js", preinstall: "node build.js" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "small", version: "1.0.0", scripts }));
  const lock = {
    name: "small",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: { "": { name: "small", version: "1.0.0" } },
  };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const program = `require("fs").appendFileSync("built", process.env.npm_lifecycle_event + " " + Object.keys(process.env).filter((name) => /TOKEN/u.test(name)) + "\\n");`;
  writeFileSync(join(folder, "build.js"), program);
  const install = (env = {}, ...words) =>
    one.run(["gate/install.sh", ...words].join('" "'), {
      GITHUB_ACTION_PATH: join(folder, ".github/actions/gate"),
      ASSAY_TOKEN: "a",
      ASSAY_OTHER_TOKEN: "b",
      SRC_ACCESS_TOKEN: "c",
      GITHUB_TOKEN: "d",
      ...env,
    });
  return { folder, install, built: () => readFileSync(join(folder, "built"), "utf8") };
};

describe("the installation", () => {
  test.each([
    { name: "of a repository that publishes nothing", manifest: {}, env: {}, said: "" },
    { name: "of one that does", manifest: { repository: "acme/assay" }, env: {}, said: "assay@3.2.1" },
    { name: "in that repository itself", manifest: { repository: "acme/assay" }, isOwn: true, env: {}, said: "" },
    { name: "that is named", manifest: {}, env: { ASSAY_PACKAGE: "./assay.tgz" }, said: "./assay.tgz" },
  ])("$name is of the right package", async ({ manifest, env, isOwn, said }) => {
    const { folder, install } = repository();
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    mkdirSync(join(folder, "packages/cli"), { recursive: true });
    writeFileSync(join(folder, "packages/cli/package.json"), JSON.stringify({ version: "3.2.1" }));
    const workspace = isOwn === true ? { GITHUB_WORKSPACE: folder } : {};
    expect(await install({ ...env, ...workspace }, "--which")).toMatchObject({ code: 0, outputs: { package: said } });
  });

  test("of a packed file works like the checkout", { tags: "proof", timeout: 120_000 }, async () => {
    execFileSync("npm", ["run", "-s", "pack"], { cwd: root, stdio: "ignore" });
    const one = step();
    const file = readdirSync(join(root, ".packed")).find((name) => /^assay-\d/u.test(name));
    // How this machine reaches the npm registry.
    const reach = Object.entries(process.env).filter(([name]) =>
      /^(?:npm_config_(?:registry|cafile)|NODE_EXTRA_CA_CERTS|https?_proxy)/iu.test(name),
    );
    const packed = { ...Object.fromEntries(reach), ASSAY_PACKAGE: join(root, ".packed", file) };
    const env = { ...packed, ...on(servers.well) };
    expect(await one.run("gate/install.sh", env)).toMatchObject({ code: 0 });
    expect(readFileSync(join(one.temp, "assay-program"), "utf8")).toContain("node_modules/assay/");
    expect(await one.run("gate/gate.sh", env)).toMatchObject({ code: 0, outputs: { outcome: "passed" } });
  });

  test(
    "builds once in a job, without a token and without scripts of packages; k6 where it is wanted",
    { tags: "proof" },
    async () => {
      const { install, built } = repository();
      expect(await install()).toMatchObject({ code: 0 });
      expect(await install()).toMatchObject({ code: 0 });
      expect(built()).toBe("build \n");
      expect(await install({ INSTALL_K6: "yes" })).toMatchObject({ code: 0 });
      expect(built()).toBe("build \nbuild \nk6:build \n");
    },
  );
});
