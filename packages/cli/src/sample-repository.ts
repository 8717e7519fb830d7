import { HarnessError } from "@assay/contract";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** One line contains special characters of regular expressions, and words that are adjacent in the other lines. */
function createNoteLine(index: number): string {
  if (index % 9 !== 7) {
    return `line ${index}\n`;
  }
  return index === 16
    ? `note ${index}: after the release comes one more test. The installation is run as a whole\n`
    : `note ${index}: run a test of the whole installation before every release\n`;
}

const sampleFiles: Readonly<Record<string, string>> = {
  "README.md": "# Sample\n\nHow to test it: run the test.\n",
  "main.go": "package main\n\n// test 日本語\nfunc main() { test() }\n",
  // Contains matches separated by other lines, lines longer than most limits, and enough lines before the first match.
  "notes.txt": Array.from({ length: 40 }, (_, index) => createNoteLine(index)).join(""),
  // Contains characters that faulty encoding corrupts.
  "special.txt": "a test of größe and 日本語\na test of c+d\nthis%20test of 100%\nthis isn't a test\n",
  "test.py": 'def test():\n    return "test"\n',
  // Contains matches of the default queries of a load.
  "start.ts": [
    'import { part0 } from "./part-0.ts";',
    'import { part1 } from "./part-1.ts";',
    "",
    "/** Starts, and returns how it went. TODO: read the configuration. */",
    "export function start(): string {",
    "  try {",
    "    return [part0, part1].join();",
    "  } catch (error) {",
    "    return `error: ${String(error)}`;",
    "  }",
    "}",
    "",
  ].join("\n"),
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `part-${index}.ts`,
      `export const part${index} = "test";\n// ${index}\n`,
    ]),
  ),
};

/** Creates a small repository in an existing folder. Every probe of a run finds matches in it. Throws a `HarnessError`. */
export function createSampleRepository(folder: string): void {
  for (const [name, content] of Object.entries(sampleFiles)) {
    writeFileSync(join(folder, name), content);
  }
  const identityFlags = ["-c", "user.name=Sample", "-c", "user.email=sample@example.org", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  for (const args of [
    ["init", "--quiet", "--initial-branch=main", "--template="],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "first"],
  ]) {
    try {
      execFileSync("git", [...identityFlags, ...args], { cwd: folder, env, stdio: "ignore" });
    } catch (cause) {
      throw new HarnessError(
        "usage",
        "the embedded server needs git, and git could not create a repository; install git, or set the address of an instance with --url",
        { cause },
      );
    }
  }
}
