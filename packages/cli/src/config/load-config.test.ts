import { HarnessError, defined } from "@assay/contract";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createAssayProgram } from "../assay-program.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { findSections } from "./command-options.ts";
import { loadConfig } from "./load-config.ts";

const root = temporaryFolder();
const sections = findSections((await createAssayProgram(testContext())).program);
const token = "sgp_0123456789abcdef0123456789abcdef01234567";

/** Writes files into a new folder and returns it. */
function folderWith(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

let number = 0;
/** Loads a file with this text. */
function loaded(text: string, name = "assay.config.ts", deadlineMs = 240_000): ReturnType<typeof loadConfig> {
  number += 1;
  const cwd = folderWith(`case-${number}`, { [name]: text });
  return loadConfig({ cwd, env: {}, readSections: async () => sections, deadlineMs });
}

const config = { run: { timeout: 7 } };

describe("a configuration", () => {
  test.each([
    {
      name: "in TypeScript with defineConfig",
      file: "assay.config.ts",
      text: 'import { defineConfig } from "assay";\nconst timeout: number = 7;\nexport default defineConfig({ run: { timeout } });',
    },
    {
      name: "by the name of the package",
      file: "assay.config.ts",
      text: 'import { defineConfig, type AssayConfig } from "@assay/cli/config";\nexport default defineConfig({ run: { timeout: 7 } } satisfies AssayConfig);',
    },
    { name: "as a plain object", file: "assay.config.js", text: "export default { run: { timeout: 7 } };" },
    {
      name: "in the older form of modules",
      file: "assay.config.js",
      text: "module.exports = { run: { timeout: 7 } };",
    },
    {
      name: "that waits",
      file: "assay.config.mjs",
      text: "export default await Promise.resolve({ run: { timeout: 7 } });",
    },
    { name: "as JSON", file: "assay.config.json", text: '{ "run": { "timeout": 7 } }' },
    { name: "as JSON with a byte order mark", file: "assay.config.json", text: '\uFEFF{ "run": { "timeout": 7 } }' },
  ])("$name is loaded", async ({ file, text }) => {
    expect(await loaded(text, file)).toMatchObject({ file: { displayPath: file }, config });
  });

  test("in JSON may name its schema", async () => {
    const text = '{ "$schema": "https://example.com/config.schema.json", "run": { "timeout": 7 } }';
    expect((await loaded(text, "assay.config.json")).config).toMatchObject(config);
  });

  test("is not there in most folders", async () => {
    expect(await loadConfig({ cwd: folderWith("none", { "a-file": "" }), env: {} })).toEqual({ config: {} });
  });
});

describe("what is looked for", () => {
  beforeAll(() => {
    folderWith("repository", {
      ".git/HEAD": "",
      "assay.config.json": '{ "run": { "timeout": 1 } }',
      "inner/deep/a-file": "",
      "own/assay.config.json": '{ "run": { "timeout": 2 } }',
      "other.json": '{ "run": { "timeout": 3 } }',
      "two/assay.config.json": "{}",
      "two/assay.config.ts": "",
    });
    folderWith("outside/inner", { "a-file": "" });
    folderWith("outside", { "assay.config.json": '{ "run": { "timeout": 9 } }' });
  });
  const from = async (folder: string, file?: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> => {
    const found = await loadConfig({ cwd: join(root, folder), env, ...defined({ file }) });
    return [found.file?.displayPath, found.config.run?.timeout];
  };

  test.each([
    { name: "the file of the folder", folder: "repository/own", found: ["assay.config.json", 2] },
    { name: "else that of a folder above it", folder: "repository/inner/deep", found: ["../../assay.config.json", 1] },
    { name: "nothing above the repository, or without one", folder: "outside/inner", found: [undefined, undefined] },
    { name: "the file that is named", folder: "repository/own", file: "../other.json", found: ["../other.json", 3] },
    {
      name: "the file that ASSAY_CONFIG names",
      folder: "repository/own",
      env: { ASSAY_CONFIG: "../other.json" },
      found: ["../other.json", 3],
    },
    {
      name: "the file of --config before that of the variable",
      folder: "repository",
      file: "other.json",
      env: { ASSAY_CONFIG: "missing.json" },
      found: ["other.json", 3],
    },
    {
      name: "nothing else for an empty variable",
      folder: "repository/own",
      env: { ASSAY_CONFIG: "" },
      found: ["assay.config.json", 2],
    },
  ])("$name", async ({ folder, file, env, found }) => {
    expect(await from(folder, file, env)).toEqual(found);
  });

  test.each([
    {
      folder: "repository",
      file: "othr.json",
      says: "configuration file othr.json not found; did you mean `other.json`?",
    },
    {
      folder: "repository",
      file: "ownn/assay.config.json",
      says: "configuration file ownn/assay.config.json not found; did you mean `own/assay.config.json`?",
    },
    {
      folder: "repository",
      file: "zzzzzzzz.json",
      says: "configuration file zzzzzzzz.json not found; check its path",
    },
    {
      folder: "repository",
      file: "inner",
      says: "inner is not a regular file; pass a file such as assay.config.ts",
    },
    {
      folder: "repository",
      file: "inner/deep/a-file",
      says: "inner/deep/a-file must be a .ts, .js, .mjs or .json file",
    },
    {
      folder: "repository/two",
      file: undefined,
      says: "there are two configuration files, assay.config.ts and assay.config.json; keep one, or select one with --config",
    },
  ])("$file is refused: $says", async ({ folder, file, says }) => {
    await expect(from(folder, file)).rejects.toThrow(new HarnessError("usage", says));
  });
});

describe("a file that cannot be loaded", () => {
  test.each([
    {
      name: "has a syntax error",
      text: "export default {a:;",
      says: /^assay\.config\.ts cannot be loaded: ParseError: .* \(line 1, column \d+\); fix it/u,
    },
    { name: "throws", text: 'throw new Error("boom")', says: "assay.config.ts cannot be loaded: boom; fix it" },
    { name: "throws a text", text: "throw 'oops'", says: "cannot be loaded: oops; fix it" },
    { name: "throws a token", text: `throw new Error("${token}")`, says: "cannot be loaded: ***; fix it" },
    {
      name: "imports what is not there",
      text: 'import "./nothere.ts"; export default {}',
      says: "Cannot find module './nothere.ts'",
    },
    {
      name: "waits for ever",
      text: "await new Promise(() => undefined); export default {}",
      deadlineMs: 500,
      says: "did not finish loading within 0.5 s",
    },
    {
      name: "never ends",
      text: "while (true) {} export default {}",
      deadlineMs: 700,
      says: "did not finish loading within 0.7 s",
    },
    {
      name: "has a member that never ends",
      text: "export default { get run() { for (;;) {} } }",
      deadlineMs: 700,
      says: "did not finish loading within 0.7 s",
    },
    {
      name: "throws a value without text",
      text: "throw { toString() { throw 1; } }",
      says: "throws a value that cannot be converted to a string",
    },
    {
      name: "has a member that throws",
      text: "export default { targets: { get staging() { throw new Error('boo'); } } }",
      says: "assay.config.ts cannot be loaded: targets.staging cannot be read: boo; fix it",
    },
    {
      name: "contains itself in many places",
      text: "const c = {}; for (let i = 0; i < 30; i += 1) c[`m${i}`] = c; export default c;",
      says: "m0 contains itself",
    },
    { name: "is JSON that says null", file: "assay.config.json", text: "null", says: "it contains no settings" },
    { name: "exports null", text: "export default null", says: "it contains no settings" },
    {
      name: "is JSON with a comma too many",
      file: "assay.config.json",
      text: '{"run": {},}',
      says: /^assay\.config\.json cannot be loaded: Expected .*JSON at position/u,
    },
    { name: "exports nothing", text: "", says: "it contains no settings; write `{ … }`, or" },
    { name: "exports a string", text: 'export default "x"', says: "it is not an object; write `{ … }`, or" },
    {
      name: "has a mistyped member in place of one it needs",
      file: "assay.config.json",
      text: '{"targets": {"staging": {"ulr": "https://h"}}}',
      says: "assay.config.json: unknown member targets.staging.ulr; did you mean `url`?",
    },
    { name: "exports a list", text: "export default []", says: "it is not an object; write `{ … }`, or" },
  ])("since it $name", async ({ text, file, deadlineMs, says }) => {
    const refused = loaded(text, file, deadlineMs);
    await expect(refused).rejects.toThrow(HarnessError);
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.not.toThrow(token);
  });
});

describe("a mistake in a file is reported with its member", () => {
  const target = (member: string): string => `{ targets: { staging: { url: "https://s.example", ${member} } } }`;
  test.each([
    {
      text: '{ extends: "gh:somebody/config" }',
      says: "extends is not supported, and no other file is loaded; import the other file and spread it",
    },
    { text: '{ extends: ["./other.ts"] }', says: "extends is not supported" },
    { text: "{ target: {} }", says: "unknown member target; did you mean `targets`?" },
    { text: "{ runn: {} }", says: "unknown member runn; did you mean `run`?" },
    { text: "{ run: { timout: 3 } }", says: "unknown member run.timout; did you mean `timeout`?" },
    {
      text: '{ run: { timeout: "soon" } }',
      says: 'run.timeout is "soon"; it must be a whole number from 1 to 86400',
    },
    { text: "{ run: { timeout: 0 } }", says: "run.timeout is 0; it must be a whole number from 1 to 86400" },
    { text: "{ run: { timeout: 1.5 } }", says: "run.timeout is 1.5; it must be a whole number from 1 to 86400" },
    { text: "{ run: { strict: 1 } }", says: "run.strict is 1; it must be true or false" },
    { text: "{ run: { rule: [1] } }", says: "run.rule[0] is 1; it must be a string" },
    { text: "{ run: { rule: null } }", says: "run.rule is null; it must be a string or a list of strings" },
    { text: "{ run: [] }", says: "run is a list; it must be an object" },
    {
      text: "{ load: { duration: 15 } }",
      says: "load.duration is 15; it must be a time with its unit, such as 15s, 2m or 1h",
    },
    {
      text: '{ load: { shape: "stedy" } }',
      says: 'load.shape is "stedy"; did you mean "steady"? it must be one of ',
    },
    {
      text: '{ run: { tokenFile: "t" } }',
      says: "run.tokenFile would send a token to any host; set targets.NAME.tokenFile instead",
    },
    { text: '{ load: { againstTokenFile: "t" } }', says: "set targets.NAME.tokenFile instead" },
    {
      text: '{ run: { target: "staging" } }',
      says: "run.target cannot be set; set defaultTarget for all commands, or pass --target",
    },
    { text: "{ targets: { staging: {} } }", says: "targets.staging lacks the required member url" },
    {
      text: '{ targets: { staging: { url: "staging" } } }',
      says: 'targets.staging.url: the base URL "staging" is not an http or https address',
    },
    { text: '{ targets: { staging: { url: "https://me:hunter22@s.example" } } }', says: "targets.staging.url: " },
    {
      text: '{ targets: { "a b": { url: "https://s.example" } } }',
      says: '"a b" in targets is not a valid name here',
    },
    {
      text: '{ targets: { s: { url: "https://s.example" } }, defaultTarget: "z" }',
      says: 'defaultTarget: unknown target "z"; did you mean `s`?',
    },
    {
      text: target('limits: "stagin"'),
      says: 'targets.staging.limits is "stagin"; did you mean "staging"? it must be one of local, staging, production',
    },
    { text: target("urll: 1"), says: "unknown member targets.staging.urll; did you mean `url`?" },
    {
      text: target(`token: "hunter22"`),
      says: "targets.staging.token: a token must not be written to this file; set targets.NAME.tokenVariable to the name of the variable that contains it, or use tokenFile or tokenCommand",
    },
    { text: target(`accessToken: "hunter22"`), says: "targets.staging.accessToken: a token must not be written" },
    {
      text: target(`tokenCommand: "echo ${token}"`),
      says: "targets.staging.tokenCommand seems to contain a token",
    },
    { text: target(`tokenVariable: "${token}"`), says: "targets.staging.tokenVariable seems to contain a token" },
    {
      text: target('tokenVariable: "hunter22hunter22"'),
      says: "targets.staging.tokenVariable must be an environment variable name in upper case, such as STAGING_TOKEN",
    },
    {
      text: target('headers: { "x-key": "hunter22" }'),
      says: "targets.staging.headers.x-key must be an environment variable name in upper case",
    },
    {
      text: target('headers: { "x key": "KEY" }'),
      says: '"x key" in targets.staging.headers is not a valid name here',
    },
    {
      text: target('tokens: { oath: "T" }'),
      says: "unknown member targets.staging.tokens.oath; did you mean `oauth`?",
    },
    {
      text: target('tokenVariable: "T", tokenFile: "f"'),
      says: "targets.staging sets more than one token source (tokenVariable, tokenFile); keep one",
    },
  ])("$text: $says", async ({ text, says }) => {
    const refused = loaded(`export default ${text}`);
    await expect(refused).rejects.toThrow(HarnessError);
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.toThrow(/^assay\.config\.ts: [^\n]+$/u);
    await expect(refused).rejects.not.toThrow(/hunter22|sgp_/u);
  });
});
