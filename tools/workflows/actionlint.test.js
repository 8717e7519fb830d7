import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { actions, hasTool, root } from "./actions-step.js";

const folder = mkdtempSync(join(tmpdir(), "assay-actionlint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const module = fileURLToPath(new URL("actionlint", import.meta.url));
const hasShellcheck = hasTool("shellcheck");

const env = { ...process.env, GOFLAGS: "-mod=readonly -buildvcs=false", GOWORK: "off" };
const run = (program, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, said: stdout + stderr };
};

/**
 * Runs actionlint in the version of its Go module. Runs from the root, because it finds its settings by paths below the working
 * folder. `go tool` builds it and prints its path, but would run it in the module.
 */
function actionlint(files) {
  run("go", ["tool", "actionlint", "-version"], module);
  const program = run("go", ["tool", "-n", "actionlint"], module).said.trim();
  const shellcheck = hasShellcheck ? [] : ["-shellcheck="];
  return run(program, ["-no-color", "-pyflakes=", ...shellcheck, ...files], root);
}
const ymlIn = (path, start = "") =>
  readdirSync(join(root, path))
    .filter((name) => name.startsWith(start) && name.endsWith(".yml"))
    .map((name) => join(root, path, name));

// The first build takes minutes; workflow-files.test.js checks the same files.
describe.skipIf(!hasTool("go"))("actionlint", { tags: "proof" }, () => {
  test("finds nothing in the workflows", () => {
    expect(actionlint(ymlIn(".github/workflows"))).toEqual({ status: 0, said: "" });
  });

  test("finds nothing in the example workflows", () => {
    const files = ymlIn("packages/cli/docs/ci", "github-");
    expect(files.length).toBeGreaterThan(3);
    expect(actionlint(files)).toEqual({ status: 0, said: "" });
  });

  test("finds nothing in the workflow that `assay init` writes", () => {
    const bin = join(root, "packages/cli/bin/assay.js");
    expect(run(process.execPath, [bin, "init", "--ci", "github", "--dir", folder], folder)).toMatchObject({
      status: 0,
    });
    const file = join(folder, ".github/workflows/assay.yml");
    expect(actionlint([file])).toEqual({ status: 0, said: "" });
  });

  test("finds a mistake", () => {
    const file = join(folder, "wrong.yml");
    writeFileSync(
      file,
      "on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ github.evnt }}\n",
    );
    const { status, said } = actionlint([file]);
    expect([status, said]).toEqual([1, expect.stringContaining('"evnt" is not defined')]);
  });
});

test.skipIf(!hasShellcheck)("shellcheck has nothing to say about the scripts of the actions", () => {
  const scripts = readdirSync(actions, { recursive: true }).filter((path) => path.endsWith(".sh"));
  expect(scripts.length).toBeGreaterThan(4);
  const { status, stdout, stderr } = spawnSync("shellcheck", ["-x", "-P", "SCRIPTDIR", ...scripts], {
    cwd: actions,
    encoding: "utf8",
  });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" });
});
