import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./actions-step.js";

const read = (name) => readFileSync(join(root, "packages/cli/docs/ci", name), "utf8");

/** A validator for the files of a CI system. */
function checkOf(name) {
  const file = join(root, "tools/workflows/schemas", `${name}.json.gz`);
  // Patterns in Azure's schema are invalid with the `u` flag.
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, logger: false });
  return ajv.compile(JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")));
}

const withSchema = [
  {
    file: "azure-pipelines.yml",
    schema: "azure-pipelines",
    broken: (pipeline) => ({ ...pipeline, steps: [{ bash: {} }] }),
  },
  {
    file: "buildkite.yml",
    schema: "buildkite",
    broken: (pipeline) => ({ ...pipeline, steps: [{ label: "x", commands: 3 }] }),
  },
  {
    file: "circleci.yml",
    schema: "circle-ci",
    broken: (pipeline) => ({ ...pipeline, jobs: { assay: { docker: [{}], steps: [{ run: 3 }] } } }),
  },
];
const files = [...withSchema.map(({ file }) => file), "Jenkinsfile"];

describe("templates of other CI systems", () => {
  test.each(withSchema)(
    "$file is one by the schema of its system, which refuses a broken one",
    ({ file, schema, broken }) => {
      const isOne = checkOf(schema);
      // Azure treats every scalar as a string, and so does its schema.
      const pipeline = parse(read(file), schema === "azure-pipelines" ? { schema: "failsafe" } : {});
      expect([isOne(pipeline), isOne.errors]).toEqual([true, null]);
      expect(isOne(broken(pipeline))).toBe(false);
    },
  );

  test("the Jenkinsfile closes what it opens, and has the sections of a declarative pipeline", () => {
    const code = read("Jenkinsfile").replaceAll(/'[^'\n]*'|^ *\/\/.*$/gmu, "");
    for (const [open, close] of ["{}", "()"]) {
      expect(code.split(open).length).toBe(code.split(close).length);
    }
    expect(code).toMatch(
      /^\s*pipeline \{\s+agent any\s+options .+\s+environment \{[^]+\s+stages \{[^]+\s+post \{\s+always \{[^]+\}\s*$/u,
    );
  });

  test.each(files)("%s exits with 2 and one sentence until it names a package to install", (file) => {
    const [guard] = /if \[ -z .+?; fi/u.exec(read(file)) ?? [""];
    const { status, stderr } = spawnSync("sh", ["-c", guard.replaceAll("$$", "$")], {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    expect([status, stderr]).toEqual([
      2,
      "Set ASSAY_PACKAGE in this file to the Assay tarball, such as ./assay-VERSION.tgz.\n",
    ]);
    expect(read(file)).toMatch(/ASSAY_PACKAGE(?:: ""| = '')\n/u);
  });

  test.each(files)("%s keeps the exit code of the run, its files and its JUnit, and gives npm no token", (file) => {
    const text = read(file);
    expect(text).not.toMatch(/\|\| true|allow_failure|continueOnError|soft_fail|catchError/u);
    expect(text).toContain("--out assay-run");
    expect(text).toContain("junit.xml");
    expect(text).toMatch(/(?:path|publish|artifacts): '?assay-run|- assay-run\/\*\*/u);
    const install = text.split("\n").find((line) => line.includes("npm install --prefix")) ?? "";
    // In Azure Pipelines and Jenkins only the step that names the token has it.
    expect(
      install.includes("unset ASSAY_TOKEN") || /ASSAY_TOKEN(?:: \$\(ASSAY_TOKEN\)| = credentials)/u.test(text),
    ).toBe(true);
    expect(install).toContain("--ignore-scripts");
  });
});
