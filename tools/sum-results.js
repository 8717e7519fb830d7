import { readFileSync, rmSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { root, testedFolders, testedNames } from "./test-files.js";

/**
 * Summarises the results in the `.results/` of all packages: prints every skipped suite and every failed test with the start of its
 * message. The last line is `N passed, N failed`. `--clean` deletes earlier results instead. If build, lint or the like failed
 * (`STATUS`), a run whose tests all passed is reported with one failure.
 */
/** Folders with test results. The k6 module needs Go, so its results may be missing. */
const optionalFolder = "scenarios/k6";
const folders = [...testedFolders, optionalFolder];
const names = [...testedNames, optionalFolder];
const resultsFolder = (name) => `${root}${folders[names.indexOf(name)]}/.results`;

const readResults = (name, file = "vitest.json") => {
  try {
    return JSON.parse(readFileSync(`${resultsFolder(name)}/${file}`, "utf8"));
  } catch {
    return undefined;
  }
};

/** The start of a failure: the expectation, and the input of a property test, which are hard to find in a long log. */
const shortenMessage = (message) =>
  stripVTControlCharacters(message)
    .split("\n")
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 2000)}`);

/** Results of `npm run prove`, of packages with proofs. */
const readProofs = () =>
  names
    .flatMap((name) => ({ name: `${name} (proved)`, run: readResults(name, "prove.json") }))
    .filter(({ run }) => run !== undefined);

const printSummary = () => {
  const runs = [...names.map((name) => ({ name, run: readResults(name) })), ...readProofs()];
  const tests = runs.flatMap(({ name, run }) =>
    (run?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => ({
        suite: `${name}: ${file.split("/").at(-1)}`,
        fullName,
        status,
        messages: failureMessages ?? [],
      })),
    ),
  );
  const selectTests = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const skipped = selectTests("skipped", "pending", "todo", "disabled");
  for (const suite of new Set(skipped.map((test) => test.suite))) {
    console.log(`skipped: ${suite} (${skipped.filter((test) => test.suite === suite).length} tests)`);
  }
  const missingNames = runs
    .filter(({ name, run }) => run === undefined && name !== optionalFolder)
    .map(({ name }) => name);
  for (const name of missingNames) {
    console.log(`no results: ${name}`);
  }
  const failed = selectTests("failed");
  for (const { suite, fullName, messages } of failed) {
    console.log([`failed: ${suite}: ${fullName}`, ...messages.flatMap(shortenMessage)].join("\n"));
  }
  // A test file that cannot be loaded fails without a failed test.
  const brokenFiles = runs.reduce(
    (count, { run }) =>
      count +
      (run?.testResults ?? []).filter(
        ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
      ).length,
    0,
  );
  const otherFailures = failed.length + brokenFiles === 0 && (process.env["STATUS"] ?? "0") !== "0" ? 1 : 0;
  console.log(`${selectTests("passed").length} passed, ${failed.length + brokenFiles + otherFailures} failed`);
};

const clean = () => {
  for (const name of names) {
    rmSync(resultsFolder(name), { recursive: true, force: true });
  }
};

if (process.argv.includes("--clean")) {
  clean();
} else {
  printSummary();
}
