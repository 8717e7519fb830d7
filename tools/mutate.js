import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { partNames, findPart } from "./mutated-parts.js";
import {
  minimumScore,
  formatReport,
  reviewSurvivors,
  findSilentTestFiles,
  summarise,
  listSurvivors,
} from "./mutation-report.js";

/**
 * Mutation testing of the code that judges, one part at a time. `npm run mutate` runs all parts and writes
 * `reports/benchmarks/mutation.{md,json}`. With the name of a part it runs only that part and keeps the results of the others.
 * With files after the name (`src/x.ts`) it runs only their mutants and writes nothing. Exits with 1 if a survivor has no entry in
 * `mutation-reviewed.json`, an entry has no survivor, a score is too low, or the tests fail without a mutation.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const reviewsPath = fileURLToPath(new URL("mutation-reviewed.json", import.meta.url));
const reportPath = `${root}reports/benchmarks/mutation`;

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/**
 * Returns the report of Stryker, or `undefined` if Stryker could not start.
 * @param {string} name
 * @param {readonly string[]} files
 * @returns {import("./mutation-report.js").StrykerReport | undefined}
 */
function tryMutants(name, files) {
  const path = `${root}.stryker-tmp/${name}.json`;
  rmSync(path, { force: true });
  const fileVariables = files.length === 0 ? {} : { ASSAY_MUTATE_FILES: files.join(",") };
  const stryker = `${root}node_modules/@stryker-mutator/core/bin/stryker.js`;
  const { status } = spawnSync(process.execPath, [stryker, "run", "tools/stryker.config.js"], {
    cwd: root,
    env: { ...process.env, ...fileVariables, ASSAY_MUTATE_PACKAGE: name },
    stdio: "inherit",
  });
  return status === 0 ? readJson(path) : undefined;
}

/**
 * Lists the test files of a package, relative to the root of the repository.
 * @param {string} name
 */
function listTestFiles(name) {
  const { testedBy, tests } = findPart(name);
  return tests === undefined
    ? readdirSync(`${root}packages/${testedBy}/src`, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".test.ts") && !path.endsWith("linear-work.test.ts"))
        .map((path) => `packages/${testedBy}/src/${path.replaceAll("\\", "/")}`)
    : tests.map((path) => posix.join("packages", testedBy, path));
}

/** @param {import("./mutation-report.js").Identity | import("./mutation-report.js").Alike} mutant */
const formatMutant = (mutant) =>
  "file" in mutant
    ? JSON.stringify({
        file: mutant.file,
        line: mutant.line,
        original: mutant.original,
        mutator: mutant.mutator,
        replacement: mutant.replacement,
      })
    : JSON.stringify(mutant);

/**
 * @param {string} name
 * @param {readonly string[]} files
 * @returns {{ faults: number, summary?: import("./mutation-report.js").PackageSummary }}
 */
function judgePart(name, files) {
  const report = tryMutants(name, files);
  if (report === undefined) {
    console.log(`${name}: no mutant was tested, because the run stopped early; see the lines above for the reason.`);
    return { faults: 1 };
  }
  const silentFiles = findSilentTestFiles(report, listTestFiles(name));
  if (silentFiles.length > 0) {
    console.log(
      `${name}: these test files ran no test, so nothing is known of what they notice. A mutant in what they import keeps it from loading, as one in a regular expression may:\n  ${silentFiles.join("\n  ")}`,
    );
    return { faults: silentFiles.length };
  }
  const { reviewed, unreviewed, stale } = reviewSurvivors(name, listSurvivors(report), readJson(reviewsPath));
  const summary = summarise(name, report, reviewed);
  for (const survivor of unreviewed) {
    console.log(`${survivor.covered ? "survived" : "not covered"}: ${survivor.at}\n  ${formatMutant(survivor)}`);
  }
  const staleReviews = files.length === 0 ? stale : [];
  for (const mutant of staleReviews) {
    console.log(`reviewed, but no longer survives; remove it from mutation-reviewed.json:\n  ${formatMutant(mutant)}`);
  }
  const isLow = files.length === 0 && summary.score < minimumScore;
  const { mutants, score } = summary;
  console.log(`${name}: ${score} % of ${mutants} mutants detected${isLow ? `, less than ${minimumScore} %` : ""}.`);
  return { faults: unreviewed.length + staleReviews.length + (isLow ? 1 : 0), summary };
}

/** @returns {readonly import("./mutation-report.js").PackageSummary[]} */
function readEarlierSummaries() {
  try {
    return readJson(`${reportPath}.json`).packages;
  } catch {
    return [];
  }
}

/** @param {readonly import("./mutation-report.js").PackageSummary[]} summaries */
function writeReport(summaries) {
  const summariesByName = new Map([...readEarlierSummaries(), ...summaries].map((summary) => [summary.name, summary]));
  const packages = partNames.flatMap((name) => summariesByName.get(name) ?? []);
  mkdirSync(`${root}reports/benchmarks`, { recursive: true });
  writeFileSync(`${reportPath}.json`, `${JSON.stringify({ minimumScore, packages }, undefined, 2)}\n`);
  writeFileSync(`${reportPath}.md`, formatReport(packages));
}

const [requestedPart, ...files] = process.argv.slice(2);
if (requestedPart !== undefined && !partNames.includes(requestedPart)) {
  console.log(`Unknown package "${requestedPart}"; choose one of ${partNames.join(", ")}.`);
  process.exitCode = 1;
} else {
  const results = (requestedPart === undefined ? partNames : [requestedPart]).map((name) => judgePart(name, files));
  // A failed run is never published.
  if (files.length === 0 && results.every(({ faults }) => faults === 0)) {
    writeReport(results.flatMap(({ summary }) => summary ?? []));
  }
  process.exitCode = results.some(({ faults }) => faults > 0) ? 1 : 0;
}
