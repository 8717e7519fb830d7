import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { programIn, runFolder, temporaryFolder } from "../testing/run-folder.ts";
import { findTestK6 } from "../testing/test-k6.ts";
import { findK6 } from "./find-k6.ts";
import { inspectScenario } from "./inspect-scenario.ts";
import { describeLoadEnvironment } from "./load-environment.ts";

const k6 = await findTestK6();

const fake = async (shell: string) => programIn(await temporaryFolder(), shell);
const versionOnly = 'test "$1" = version && echo "k6 v2.9.1 (go1.26.0, linux/amd64)"';
const withModule = `${versionOnly}; exit 0`;

describe("the search for k6", () => {
  test("nowhere: one sentence names the three ways to get one", async () => {
    const failure = findK6({ env: { PATH: "/nowhere" }, builtPath: "/nowhere/k6" });
    await expect(failure).rejects.toMatchObject({ code: "no-k6" });
    await expect(failure).rejects.toThrow(/npm run k6:build.*ASSAY_K6.*PATH/u);
  });

  test("ASSAY_K6 comes first, then the built one", async () => {
    const [chosen, built] = [await fake(withModule), await fake(withModule)];
    const found = await findK6({ env: { ASSAY_K6: chosen.path }, builtPath: built.path });
    expect(found).toMatchObject({ path: chosen.path, source: "ASSAY_K6", version: "v2.9.1" });
    expect(await findK6({ env: { ASSAY_K6: "" }, builtPath: built.path })).toMatchObject({ source: "built" });
  });

  test.each<{ name: string; shell: string; code: string; timeoutMs?: number }>([
    { name: "is no k6", shell: "echo hello", code: "broken-k6" },
    { name: "fails", shell: `${versionOnly}; exit 1`, code: "broken-k6" },
    { name: "hangs", shell: "sleep 60", code: "broken-k6", timeoutMs: 300 },
    { name: "is too old", shell: 'echo "k6 v1.8.1 (go1.26.0, linux/amd64)"', code: "old-k6" },
    { name: "lacks the module", shell: `${versionOnly} || exit 107`, code: "no-module" },
  ])("one that $name is not used", async ({ shell, code, timeoutMs = 60_000 }) => {
    const { path } = await fake(shell);
    const failure = findK6({ env: { ASSAY_K6: path }, timeoutMs });
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringContaining(path) });
  });

  test("a named k6 that is missing is not replaced by another", async () => {
    const { path } = await fake(versionOnly);
    const env = { ASSAY_K6: "/nowhere/k6", PATH: dirname(path) };
    await expect(findK6({ env })).rejects.toMatchObject({ code: "broken-k6" });
  });
});

describe.skipIf(k6 === undefined)("a real k6 (skipped: no k6)", () => {
  const real = k6 ?? { path: "", version: "", sha256: "" };

  test("returns its version and digest", () => {
    expect(real).toMatchObject({
      version: expect.stringMatching(/^v\d+\./u),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
  });

  test("the options of a script are read without running it", async () => {
    const folder = await runFolder("export const options = { vus: Number(__ENV.COUNT) }; export default () => {};");
    const script = join(folder, "scenario.js");
    expect(await inspectScenario({ k6: real, script, env: { COUNT: "7" } })).toMatchObject({ vus: 7 });
  });

  test.each([
    ["throws", "throw new Error('no plan\\nat all')", "Error: no plan"],
    ["is no JavaScript", "export default (", "cannot load"],
    ["asks for a module that is not there", 'import "k6/x/nothing"; export default () => {}', "k6/x/nothing"],
  ])("a script that %s is bad, in one sentence", async (_name, text, words) => {
    const folder = await runFolder(text);
    const failure = inspectScenario({ k6: real, script: join(folder, "scenario.js"), env: {} });
    await expect(failure).rejects.toMatchObject({ code: "bad-script", message: expect.stringMatching(/^[^\n]+$/u) });
    await expect(failure).rejects.toThrow(words);
  });

  test("a script at which k6 spins for ever is given up", async () => {
    const folder = await temporaryFolder();
    const script = join(folder, "spin.ts");
    await writeFile(script, "export default function () { using x = null; }\n");
    await expect(inspectScenario({ k6: real, script, env: {}, timeoutMs: 1500 })).rejects.toMatchObject({
      code: "script-hangs",
    });
  });
});

test("the fingerprint of a machine depends on its k6 and not on Node", () => {
  const [one, other] = ["aa", "bb"].map((sha256) => describeLoadEnvironment({ version: "v2.2.0", sha256 }));
  expect(one?.fingerprint).toMatch(/^[0-9a-f]{64}$/u);
  expect(one?.fingerprint).not.toBe(other?.fingerprint);
});
