import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".results/", import.meta.url));
const statuses = { pass: "passed", fail: "failed", skip: "skipped" };

const read = (line) => {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
};

/** Events as `go test -json` prints them, one a line. */
export const testEvents = (output) => output.split("\n").flatMap((line) => read(line));

const nameOf = ({ Package, Test }) => `${Package} ${Test ?? ""}`;

/** Output of packages and of failed tests. */
export const outputOfFailures = (events) => {
  const failed = new Set(events.filter(({ Action }) => Action === "fail").map(nameOf));
  return events
    .filter((event) => event.Action.endsWith("output") && (event.Test === undefined || failed.has(nameOf(event))))
    .map(({ Output }) => Output ?? "")
    .join("");
};

const suitesOf = (events) => {
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

/** Writes the results in the format of the other suites, so that they can be summed up. */
export const writeResults = (events) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}vitest.json`, JSON.stringify({ testResults: suitesOf(events) }));
};
