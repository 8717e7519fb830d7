import { rmSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { provingFilesIn, root, testedFolders, vitest } from "./test-files.js";
import { testEnvironment, turbo } from "./test-environment.js";

/**
 * `npm run prove [-- WORD...] [--update]`: tries all of what `npm test` tries a part of: every seed, every fault with every choice,
 * every point to be killed at. Without words it begins with the lint that knows types, and with unused code. It runs the test files
 * that import `@assay/config/proving`, of which words choose those whose path holds one of them; `--update` writes what is
 * published, unless it is red.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const flags = process.argv.slice(2).filter((word) => word.startsWith("-"));
const isWanted = (path) => words.length === 0 || words.some((word) => path.includes(word));

const parts = testedFolders
  .map((folder) => ({ folder, files: provingFilesIn(folder).filter((path) => isWanted(`${folder}/${path}`)) }))
  .filter(({ files }) => files.length > 0)
  // The longest one last: what is wrong with the others is known before.
  .toSorted((one, other) => Number(one.folder === "packages/cli") - Number(other.folder === "packages/cli"));

const say = (text) => process.stdout.write(`${text}\n`);
const resultsOf = (folder) => join(root, folder, ".results/prove.json");

function countsOf(folder) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(resultsOf(folder), "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

// Flags stand behind the files: `--update` would take the first of them for its value.
function prove({ folder, files }, index) {
  say(`[${index + 1}/${parts.length}] ${folder}: ${files.join(", ")}`);
  rmSync(resultsOf(folder), { force: true });
  const status = vitest(folder, ["run", ...files, ...flags], { ...testEnvironment(), ASSAY_PROVE: "1" });
  return { status, ...countsOf(folder) };
}

const startedAt = Date.now();
const built = spawnSync(process.execPath, [join(root, "packages/config/build.js")], { cwd: root, stdio: "inherit" });
// What reads all of the sources, and takes a tenth of `npm test`.
const isClean = words.length > 0 || turbo("run", "lint", "unused", "--continue") === 0;
const outcomes = built.status === 0 ? parts.map((part, index) => prove(part, index)) : [];
const sum = (name) => outcomes.reduce((all, one) => all + one[name], 0);
const isProven = isClean && outcomes.length > 0 && outcomes.every(({ status }) => status === 0);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
say(
  outcomes.length === 0
    ? `nothing was proved: ${built.status === 0 ? `no test file that proves more than npm test is named like ${words.join(", ")}` : "the build failed"}`
    : `${isProven ? "proved" : "not proved"}: ${sum("passed")} tests passed, ${sum("failed")} failed, in ${minutes} min`,
);
process.exitCode = isProven ? 0 : 1;
