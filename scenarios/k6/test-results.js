import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".results/", import.meta.url));
const statuses = { pass: "passed", fail: "failed", skip: "skipped" };

const parseEvent = (line) => {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
};

/** Parses the events that `go test -json` prints, one per line. */
export const parseTestEvents = (output) => output.split("\n").flatMap((line) => parseEvent(line));

const getTestKey = ({ Package, Test }) => `${Package} ${Test ?? ""}`;

/** Collects the output of packages and of failed tests. */
export const collectFailureOutput = (events) => {
  const failedTests = new Set(events.filter(({ Action }) => Action === "fail").map(getTestKey));
  return events
    .filter(
      (event) => event.Action.endsWith("output") && (event.Test === undefined || failedTests.has(getTestKey(event))),
    )
    .map(({ Output }) => Output ?? "")
    .join("");
};

const groupIntoSuites = (events) => {
  const suites = new Map();
  for (const { Action, Package, Test } of events) {
    if (Package !== undefined && Action in statuses) {
      const suite = suites.get(Package) ?? { name: Package, status: "passed", assertionResults: [] };
      suites.set(Package, suite);
      if (Test === undefined) {
        suite.status = statuses[Action];
      } else {
        suite.assertionResults.push({ fullName: Test, status: statuses[Action] });
      }
    }
  }
  return [...suites.values()];
};

/** Writes the results in the format of the other test suites, so that their counts can be added. */
export const writeResults = (events) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}vitest.json`, JSON.stringify({ testResults: groupIntoSuites(events) }));
};
