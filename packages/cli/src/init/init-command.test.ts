import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { createCiFile } from "./ci-template.ts";
import { configFormats } from "./config-template.ts";

const all = temporaryFolder();
let count = 0;

/** A new folder with these files, and with a repository of git when it has remotes. */
function project(files: Readonly<Record<string, string>> = {}, remotes?: readonly string[]): string {
  count += 1;
  const folder = join(all, String(count));
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: readonly string[]): Buffer => execFileSync("git", args, { cwd: folder });
  for (const [index, remote] of (remotes ?? []).entries()) {
    git("init", "-q");
    git("remote", "add", `remote${index}`, remote);
  }
  return folder;
}

/** All files but \`.gitignore\`, which has tests of its own. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !/\/\.git(?:\/|$)/u.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => name !== ".gitignore")
    .toSorted();

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");
const github = ".github/workflows/assay.yml";
const gitlab = ".gitlab/assay.gitlab-ci.yml";

describe("assay init", () => {
  test.each([
    { name: "by npx", env: { npm_command: "exec" }, command: "npx assay" },
    { name: "as a program", env: {}, command: "assay" },
  ])("that was called $name names its next steps so", async ({ env, command }) => {
    const { out } = await callAssay(["init"], { cwd: project(), env });
    expect(out).toContain(`\n  ${command} config --target staging `);
    expect(out).toContain(`\n  ASSAY_TOKEN=... ${command} run --target staging\n`);
  });

  test.each([
    { name: "a plain folder", folder: () => project(), files: [github, "assay.config.ts"] },
    {
      name: "a project of JavaScript",
      folder: () => project({ "package.json": "{}" }),
      files: [github, "assay.config.js", "package.json"],
    },
    {
      name: "a project of TypeScript",
      folder: () => project({ "package.json": '{"devDependencies":{"typescript":"7.0.2"}}' }),
      files: [github, "assay.config.ts", "package.json"],
    },
    {
      name: "a manifest that is none",
      folder: () => project({ "package.json": "{" }),
      files: [github, "assay.config.js", "package.json"],
    },
    {
      name: "a project with a pipeline of GitLab",
      folder: () => project({ ".gitlab-ci.yml": "" }),
      files: [".gitlab-ci.yml", gitlab, "assay.config.ts"],
    },
    {
      name: "a clone from GitLab",
      folder: () => project({}, ["git@gitlab.example.com:a/b.git"]),
      files: [gitlab, "assay.config.ts"],
    },
    {
      name: "a clone by https",
      folder: () => project({}, ["https://me@gitlab.com/a/b"]),
      files: [gitlab, "assay.config.ts"],
    },
    {
      name: "a clone from GitHub",
      folder: () => project({}, ["https://github.com/a/gitlab"]),
      files: [github, "assay.config.ts"],
    },
  ])("writes what fits $name", async ({ folder, files }) => {
    const cwd = folder();
    const { code, out, err } = await callAssay(["init"], { cwd });
    expect([code, err, filesIn(cwd)]).toEqual([0, "", files.toSorted()]);
    expect(out).toMatch(/^wrote assay\.config\.[jt]s\nwrote \.git/u);
    expect(out).toContain("assay config --target staging");
    expect(out).toContain("ASSAY_TOKEN=... assay run --target staging");
  });

  test.each(configFormats)("writes a %s file with the same effect on every command", async (format) => {
    const cwd = project();
    await callAssay(["init", "--format", format, "--ci", "none"], { cwd });
    expect(filesIn(cwd)).toEqual([`assay.config.${format}`]);
    const values = async (target: string): Promise<Record<string, unknown>> => {
      const { code, out, err } = await callAssay(["config", "run", "--target", target, "--json"], { cwd });
      expect([code, err]).toEqual([0, ""]);
      const report: { readonly values: readonly { readonly name: string; readonly value?: unknown }[] } =
        JSON.parse(out);
      return Object.fromEntries(report.values.map(({ name, value }) => [name, value]));
    };
    expect(await values("staging")).toMatchObject({
      "--url": "https://staging.example.com",
      "--limits": "staging",
      "--access": "private",
      "--profile": "gate",
      "--query": "test count:200",
    });
    expect(await values("production")).toMatchObject({ "--limits": "production", "--questions": 5 });
  });

  test("comments on every member, and names no token", async () => {
    const cwd = project();
    await callAssay(["init", "--ci", "none"], { cwd });
    const text = read(cwd, "assay.config.ts");
    expect(text.match(/^ *\/\/ .+$/gmu)?.length).toBeGreaterThan(15);
    expect(text.match(/^(?! *\/\/).*token.*$/gimu)).toBeNull();
  });

  test.each([
    { before: undefined, after: "reports/\n" },
    { before: "node_modules", after: "node_modules\nreports/\n" },
    { before: "dist/\n", after: "dist/\nreports/\n" },
    { before: "/reports\n", after: "/reports\n" },
    { before: "# runs\r\nreports/\r\n", after: "# runs\r\nreports/\r\n" },
    { before: "my-reports/\n", after: "my-reports/\nreports/\n" },
  ])("leaves a .gitignore $before so that runs are ignored", async ({ before, after }) => {
    const cwd = project(before === undefined ? {} : { ".gitignore": before });
    const { out } = await callAssay(["init"], { cwd });
    expect(read(cwd, ".gitignore")).toBe(after);
    expect(out.includes("added reports/ to .gitignore")).toBe(before !== after);
  });

  const installed = (spec: string): string => JSON.stringify({ devDependencies: { assay: spec } });

  test.each([
    { name: "a packed file", manifest: installed("file:tools/assay-1.2.3.tgz"), spec: "./tools/assay-1.2.3.tgz" },
    { name: "an address", manifest: installed("https://npm.example.com/a.tgz"), spec: "https://npm.example.com/a.tgz" },
    { name: "a version of the project's registry", manifest: installed("^1.2.3"), spec: "assay@^1.2.3" },
    { name: "a file outside of the repository", manifest: installed("file:../assay-1.2.3.tgz"), spec: "" },
    { name: "a link to a folder of this workspace", manifest: installed("workspace:*"), spec: "" },
    { name: "nothing", manifest: "{}", spec: "" },
    { name: "a manifest that is none", manifest: "{", spec: "" },
    { name: "no manifest", manifest: undefined, spec: "" },
  ])("installs in a job what the project has: $name", async ({ manifest, spec }) => {
    const cwd = project(manifest === undefined ? {} : { "package.json": manifest }, ["https://github.com/a/b"]);
    const { out } = await callAssay(["init"], { cwd });
    await callAssay(["init", "--ci", "gitlab", "--force"], { cwd });
    expect(parse(read(cwd, github)).jobs.gate.env.ASSAY_PACKAGE).toBe(spec);
    expect(parse(read(cwd, gitlab)).assay.variables.ASSAY_PACKAGE).toBe(spec);
    expect([out.includes("set ASSAY_PACKAGE to"), out.includes(`commit ${spec}, which the job installs`)]).toEqual([
      spec === "",
      spec.startsWith("."),
    ]);
  });

  test.each(["github", "gitlab"])(
    "a job of %s without a package ends with one sentence, before anything is installed",
    (ci) => {
      const { text = "" } = createCiFile(ci === "github" ? "github" : "gitlab", {}) ?? {};
      const check = /if \[ -z "\$ASSAY_PACKAGE" \].*/u.exec(text)?.[0] ?? "";
      const ended = spawnSync("sh", ["-c", check], { env: { ASSAY_PACKAGE: "" }, encoding: "utf8" });
      expect([ended.status, ended.stderr]).toEqual([
        2,
        expect.stringMatching(/^Set ASSAY_PACKAGE in this file to [^\n]+\.\n$/u),
      ]);
      expect(spawnSync("sh", ["-c", check], { env: { ASSAY_PACKAGE: "./a.tgz" } }).status).toBe(0);
    },
  );

  test("leaves placeholders that no command asks, and without a target the embedded server is used", async () => {
    const cwd = project();
    await callAssay(["init", "--ci", "none"], { cwd });
    for (const command of [["run"], ["doctor"], ["load", "search-first-match"]]) {
      const { code, err } = await callAssay([...command, "--target", "staging"], { cwd });
      expect([code, err]).toEqual([
        2,
        "assay: assay.config.ts: set `targets.staging.url` first; https://staging.example.com is the placeholder that `assay init` wrote\n",
      ]);
    }
    const { code, out } = await callAssay(["config", "run"], { cwd });
    expect([code, out.includes("staging.example.com")]).toEqual([0, false]);
  });

  test("makes a run without a target fail once an address is set, so that the embedded server is not tested instead", async () => {
    const cwd = project();
    const file = join(cwd, "assay.config.json");
    await callAssay(["init", "--ci", "none", "--format", "json"], { cwd });
    writeFileSync(file, readFileSync(file, "utf8").replace("https://staging.example.com", "https://real.example"));
    for (const command of [["run"], ["doctor"], ["load", "search-first-match"]]) {
      const { code, err } = await callAssay(command, { cwd });
      expect([code, err]).toEqual([
        2,
        "assay: assay.config.json contains the targets staging, and none is selected: pass --target, set defaultTarget, or test the embedded server with --no-config\n",
      ]);
    }
    expect((await callAssay(["config", "run"], { cwd })).code).toBe(0);
    expect((await callAssay(["run", "--embedded", "--rule", "stream/two-fields"], { cwd })).code).toBe(0);
  });

  test("refuses a second call, names the existing files, and changes nothing", async () => {
    const cwd = project();
    await callAssay(["init"], { cwd });
    writeFileSync(join(cwd, "assay.config.ts"), "mine");
    const { code, out, err } = await callAssay(["init"], { cwd });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /^assay: assay\.config\.ts and \.github\/workflows\/assay\.yml already exist, [^\n]+--force\n$/u,
    );
    expect(read(cwd, "assay.config.ts")).toBe("mine");
    expect((await callAssay(["init", "--force"], { cwd })).code).toBe(0);
    expect(read(cwd, "assay.config.ts")).toContain("defineConfig");
  });

  test("writes nothing if one of two files exists", async () => {
    const cwd = project({ [github]: "mine" });
    expect((await callAssay(["init"], { cwd })).code).toBe(2);
    expect(filesIn(cwd)).toEqual([github]);
  });

  test("prints and writes nothing with --dry-run, whatever is there", async () => {
    const cwd = project({ "assay.config.ts": "mine" });
    const { code, out } = await callAssay(["init", "--dry-run"], { cwd });
    expect([code, filesIn(cwd)]).toEqual([0, ["assay.config.ts"]]);
    expect(out).toMatch(/^--- assay\.config\.ts\nimport [^]*\n--- \.github\/workflows\/assay\.yml\n# Tests/u);
    expect(out).toMatch(/\n--- \.gitignore\nreports\/\n$/u);
  });
});

describe("a repository", () => {
  test.each([
    { name: "has its workflow at its root", inner: "tools/assay here", config: "tools/assay here/assay.config.ts" },
    {
      name: "may have odd folders",
      inner: "a'b $(touch pwned) \u00e4: #",
      config: "a'b $(touch pwned) \u00e4: #/assay.config.ts",
    },
  ])("$name", async ({ inner, config }) => {
    for (const ci of ["github", "gitlab"]) {
      const root = project({ [`${inner}/x`]: "" }, ["https://github.com/a/b"]);
      const cwd = join(root, inner);
      expect((await callAssay(["init", "--ci", ci], { cwd })).code).toBe(0);
      const written = parse(read(root, ci === "github" ? github : gitlab));
      const named =
        ci === "github"
          ? written.jobs.gate.env.ASSAY_CONFIG_FILE
          : written.assay.variables.ASSAY_CONFIG_FILE.replaceAll("$$", "$");
      expect(named).toBe(config);
      expect(
        (await callAssay(["init", "--ci", "github", "--action", "acme/assay@v1.2.3", "--force"], { cwd })).code,
      ).toBe(0);
      expect(parse(read(root, github)).jobs.gate).toMatchObject({
        uses: "acme/assay/.github/workflows/gate.yml@v1.2.3",
        with: { config },
      });
    }
  });

  test("gets its configuration in the folder of --dir", async () => {
    const root = project({}, ["https://github.com/a/b"]);
    const { code, out } = await callAssay(["init", "--dir", "tools/assay"], { cwd: root });
    expect([code, filesIn(root)]).toEqual([0, [github, "tools/assay/assay.config.ts"]]);
    expect(out).toContain("assay --config tools/assay/assay.config.ts run --target staging");
  });

  test("is named such that a shell takes it for one word", async () => {
    const { out } = await callAssay(["init", "--dir", "the team's", "--ci", "none"], { cwd: project() });
    expect(out).toContain(String.raw`assay --config 'the team'\''s/assay.config.ts' run --target staging`);
  });
});

describe("an obstructing file is reported in one sentence", () => {
  const sentence = /^assay: [^\n]+\n(?:See `assay [a-z ]*--help`\.\n)?$/u;

  test.each([
    {
      name: "a file for a folder",
      folder: () => project({ ".github": "" }),
      args: [],
      says: /assay\.yml cannot be written \((?:ENOTDIR|EEXIST)\); assay\.config\.ts was written before/u,
    },
    {
      name: "a folder for a file",
      folder: () => project({ "assay.config.ts/x": "" }),
      args: ["--force"],
      says: /assay\.config\.ts cannot be written \(EISDIR\)/u,
    },
    {
      name: "a folder that is a file",
      folder: () => project({ x: "" }),
      args: ["--dir", "x"],
      says: /cannot be written \((?:ENOTDIR|EEXIST)\)/u,
    },
    {
      name: "another configuration",
      folder: () => project({ "assay.config.json": "{}" }),
      args: ["--force"],
      says: /there is already a configuration, assay\.config\.json; remove/u,
    },
    { name: "a format that is none", folder: () => project(), args: ["--format", "yaml"], says: /ts, js, json/u },
    {
      name: "a pipeline that is none",
      folder: () => project(),
      args: ["--ci", "githb"],
      says: /Did you mean "github"/u,
    },
    {
      name: "a commit that is none",
      folder: () => project(),
      args: ["--action", "acme/assay"],
      says: /"acme\/assay" is not a repository with a ref/u,
    },
    {
      name: "an action where there are none",
      folder: () => project(),
      args: ["--action", "acme/assay@v1", "--ci", "gitlab"],
      says: /--action is for GitHub, and the file is for gitlab/u,
    },
    {
      name: "a folder with an expression",
      folder: () => project({ "${{x}}/y": "", ".git/x": "" }),
      args: ["--dir", "${{x}}"],
      says: /use --ci none/u,
    },
  ])("$name", async ({ folder, args, says }) => {
    const { code, out, err } = await callAssay(["init", ...args], { cwd: folder() });
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(says)]);
    expect(err).toMatch(sentence);
  });

  test("a link that leads nowhere is not followed", async () => {
    const cwd = project();
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "assay.config.ts"));
    expect((await callAssay(["init"], { cwd })).code).toBe(2);
    expect(existsSync(join(cwd, "elsewhere"))).toBe(false);
  });
});
