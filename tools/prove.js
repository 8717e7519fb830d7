import { rmSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { listProvingFilesIn, root, testedFolders, runVitest } from "./test-files.js";
import { createTestEnvironment, turbo } from "./test-environment.js";

/**
 * `npm run prove [-- WORD...] [--all] [--update]`: runs the tests with the tags `proof` and `more`, which `npm test` skips or
 * runs in part. It runs only a part of slow tests: one fault of a live server for each probe, one independent server, and a sample
 * of seeds and kill points that depends on the commit. `--all` runs everything, which takes more than an hour. Without words it starts
 * with the type-aware lint and the check for unused code. Words select test files by path. `--update` writes the published results, unless
 * a test fails, and requires `--all`. `ASSAY_PROVE_SEED` repeats the sample of a different commit.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const isAll = process.argv.includes("--all");
const flags = process.argv.slice(2).filter((word) => word.startsWith("-") && word !== "--all");
const isWanted = (path) => words.length === 0 || words.some((word) => path.includes(word));

const parts = testedFolders
  .map((folder) => ({
    folder,
    files: listProvingFilesIn(folder, isAll).filter((path) => isWanted(`${folder}/${path}`)),
  }))
  .filter(({ files }) => files.length > 0)
  // The slowest package is last, so that other failures are reported first.
  .toSorted((left, right) => Number(left.folder === "packages/cli") - Number(right.folder === "packages/cli"));

const print = (text) => process.stdout.write(`${text}\n`);
const resultsFile = (folder) => join(root, folder, ".results/prove.json");

function readCounts(folder) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(resultsFile(folder), "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

// Flags follow the files, because `--update` would consume the first file as its value.
function prove({ folder, files }, index) {
  print(`[${index + 1}/${parts.length}] ${folder}: ${files.join(", ")}`);
  rmSync(resultsFile(folder), { force: true });
  const provingVariables = { ASSAY_PROVE: isAll ? "all" : "drawn", ASSAY_PROVE_SEED: seed };
  const status = runVitest(folder, ["run", ...files, ...flags], { ...createTestEnvironment(), ...provingVariables });
  return { status, ...readCounts(folder) };
}

/** Seed of the sample: the commit, or `ASSAY_PROVE_SEED`. */
function readCommitSeed() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" });
  return (stdout ?? "").trim() || "no commit";
}

const startedAt = Date.now();
const seed = process.env["ASSAY_PROVE_SEED"] ?? readCommitSeed();
if (flags.includes("--update") && !isAll) {
  process.stderr.write("--update needs --all: a sample is never published\n");
  process.exit(2);
}
print(
  isAll ? "everything is tried" : `samples are drawn with the seed ${seed}; to repeat them: ASSAY_PROVE_SEED=${seed}`,
);
const build = spawnSync(process.execPath, [join(root, "tools/build.js")], { cwd: root, stdio: "inherit" });
// These checks read all sources. They take a tenth of the time of `npm test`.
const isClean = words.length > 0 || turbo("run", "lint", "unused", "--continue") === 0;
const outcomes = build.status === 0 ? parts.map((part, index) => prove(part, index)) : [];
const sum = (name) => outcomes.reduce((total, outcome) => total + outcome[name], 0);
const isProven = isClean && outcomes.length > 0 && outcomes.every(({ status }) => status === 0);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
print(
  outcomes.length === 0
    ? `nothing was proved: ${build.status === 0 ? `no test file that proves more than npm test is named like ${words.join(", ")}` : "the build failed"}`
    : `${isProven ? "proved" : "not proved"}: ${sum("passed")} tests passed, ${sum("failed")} failed, in ${minutes} min`,
);
process.exitCode = isProven ? 0 : 1;
