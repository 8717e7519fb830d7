import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { partNames, findPart } from "./mutated-parts.js";
import { findSilentTestFiles, formatReport, formatSurvivor, summarise } from "./mutation-report.js";

/**
 * Mutation testing of the code that judges, one part at a time. `npm run mutate [-- --seed N]` runs all parts and writes
 * `reports/benchmarks/mutation.{md,json}`. With the name of a part it runs only that part and keeps the results of the others.
 * With files after the name (`src/x.ts`) it tests all their mutants instead of a sample, prints the survivors and writes nothing.
 * Exits with 1 if a score is certainly below the minimum of its part, or the tests fail without a mutation.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const reportPath = `${root}reports/benchmarks/mutation`;

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/**
 * Returns the report of Stryker, or `undefined` if Stryker could not start.
 * @param {string} name
 * @param {{ files: readonly string[], oneIn: number, seed: string }} choice
 * @returns {import("./mutation-report.js").StrykerReport | undefined}
 */
function testMutants(name, { files, oneIn, seed }) {
  const path = `${root}.stryker-tmp/${name}.json`;
  rmSync(path, { force: true });
  const fileVariables = files.length === 0 ? {} : { ASSAY_MUTATE_FILES: files.join(",") };
  const stryker = `${root}node_modules/@stryker-mutator/core/bin/stryker.js`;
  const { status } = spawnSync(process.execPath, [stryker, "run", "tools/stryker.config.js"], {
    cwd: root,
    env: {
      ...process.env,
      ...fileVariables,
      ASSAY_MUTATE_PACKAGE: name,
      ASSAY_MUTATE_ONE_IN: String(oneIn),
      ASSAY_MUTATE_SEED: seed,
    },
    stdio: "inherit",
  });
  return status === 0 ? readJson(path) : undefined;
}

/**
 * Lists the test files of a package, relative to the root of the repository.
 * @param {string} name
 */
function listTestFiles(name) {
  const { testedBy, tests, testFolders = ["src"] } = findPart(name);
  return tests === undefined
    ? testFolders.flatMap((folder) =>
        readdirSync(`${root}packages/${testedBy}/${folder}`, { recursive: true, encoding: "utf8" })
          .filter((path) => path.endsWith(".test.ts") && !path.endsWith("linear-work.test.ts"))
          .map((path) => `packages/${testedBy}/${folder}/${path.replaceAll("\\", "/")}`),
      )
    : tests.map((path) => posix.join("packages", testedBy, path));
}

/**
 * @param {string} name
 * @param {{ files: readonly string[], seed: string }} request
 * @returns {import("./mutation-report.js").PartSummary | undefined} `undefined` if the part could not be judged.
 */
function judgePart(name, { files, seed }) {
  const isWhole = files.length === 0;
  const { oneIn, minimumScore } = isWhole ? findPart(name) : { oneIn: 1, minimumScore: 0 };
  const report = testMutants(name, { files, oneIn, seed });
  if (report === undefined) {
    console.log(`${name}: no mutant was tested, because the run stopped early; see the lines above for the reason.`);
    return undefined;
  }
  const silentFiles = findSilentTestFiles(report, listTestFiles(name));
  if (silentFiles.length > 0) {
    console.log(
      `${name}: these test files ran no test, so nothing is known of what they notice. A mutant in what they import keeps it from loading. A regular expression with \\v does that, because its opposite \\V is invalid: exclude it with \`// Stryker disable next-line Regex\`.\n  ${silentFiles.join("\n  ")}`,
    );
    return undefined;
  }
  const summary = summarise(name, report, oneIn);
  const { mutants, score, atLeast, atMost, survivors } = summary;
  for (const survivor of isWhole ? [] : survivors) {
    console.log(formatSurvivor(survivor));
  }
  if (mutants === 0) {
    console.log(`${name}: no mutant was tested, because none of its files has one in the sample.`);
    return undefined;
  }
  const isLow = atMost < minimumScore;
  console.log(
    `${name}: ${score} % of ${mutants} mutants detected (95 % interval: ${atLeast} to ${atMost})${isLow ? `, less than ${minimumScore} %` : ""}.`,
  );
  return isLow ? undefined : summary;
}

/** @returns {readonly import("./mutation-report.js").PartSummary[]} */
function readEarlierSummaries() {
  try {
    return readJson(`${reportPath}.json`).parts ?? [];
  } catch {
    return [];
  }
}

/**
 * @param {readonly import("./mutation-report.js").PartSummary[]} summaries
 * @param {string} seed
 */
function writeReport(summaries, seed) {
  const summariesByName = new Map([...readEarlierSummaries(), ...summaries].map((summary) => [summary.name, summary]));
  const parts = partNames.flatMap((name) => summariesByName.get(name) ?? []);
  mkdirSync(`${root}reports/benchmarks`, { recursive: true });
  writeFileSync(`${reportPath}.json`, `${JSON.stringify({ seed, parts }, undefined, 2)}\n`);
  writeFileSync(`${reportPath}.md`, formatReport(parts, seed));
}

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
const [requestedPart, ...files] = positionals;
if (requestedPart !== undefined && !partNames.includes(requestedPart)) {
  console.log(`Unknown part "${requestedPart}"; choose one of ${partNames.join(", ")}.`);
  process.exitCode = 1;
} else {
  const names = requestedPart === undefined ? partNames : [requestedPart];
  const summaries = names.flatMap((name) => judgePart(name, { files, seed: values.seed }) ?? []);
  const isComplete = summaries.length === names.length;
  // A failed run is never published.
  if (files.length === 0 && isComplete) {
    writeReport(summaries, values.seed);
  }
  process.exitCode = isComplete ? 0 : 1;
}
