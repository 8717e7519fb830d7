import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that `makeRepository` copies. */
    readonly sampleRepository: string;
  }
}

/** One of the lines has a text that means more as a regular expression, and words that stand side by side on the others. */
function noteLine(index: number): string {
  if (index % 9 !== 7) {
    return `line ${index}\n`;
  }
  return index === 16
    ? `note ${index}: after the release comes one more test. The installation is run as a whole\n`
    : `note ${index}: run a test of the whole installation before every release\n`;
}

const files: Readonly<Record<string, string>> = {
  "README.md": "# Sample\n\nHow to test it: run the test.\n",
  "main.go": "package main\n\n// test 日本語\nfunc main() { test() }\n",
  // Matches with lines between them, lines longer than most limits, and lines enough before the first one.
  "notes.txt": Array.from({ length: 40 }, (_, index) => noteLine(index)).join(""),
  "test.py": 'def test():\n    return "test"\n',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `part-${index}.ts`,
      `export const part${index} = "test";\n// ${index}\n`,
    ]),
  ),
};

/**
 * Makes the repository that those of all tests are copies of, once for a run: three processes of git took longer than most of
 * what is tried on it.
 */
export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), "assay-sample-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), content);
  }
  const identity = ["-c", "user.name=Sample", "-c", "user.email=sample@example.org", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  for (const args of [
    ["init", "--quiet", "--initial-branch=main", "--template="],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "first"],
  ]) {
    execFileSync("git", [...identity, ...args], { cwd: directory, env, stdio: "ignore" });
  }
  project.provide("sampleRepository", directory);
  return () => rmSync(directory, { recursive: true, force: true });
}

/** Makes a folder with a small repository in which every probe finds something; quick to search. */
export function makeRepository(parent: string): string {
  const directory = join(parent, "sample");
  cpSync(inject("sampleRepository"), directory, { recursive: true, errorOnExist: true, force: false });
  return directory;
}
