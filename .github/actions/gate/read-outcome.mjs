// Prints what a run folder says about how it ended, three lines: the outcome, whether the target was the embedded server, one
// sentence. Usage: node read-outcome.mjs FOLDER EXIT_CODE. The exit code of the process decides; the folder may be empty.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [folder = "", exitCode = ""] = process.argv.slice(2);

const outcomes = {
  0: "passed",
  1: "failed",
  2: "usage-error",
  3: "incomplete",
  4: "performance-failed",
  5: "performance-inconclusive",
  6: "cleanup-incomplete",
  130: "interrupted",
  143: "interrupted",
};

function result() {
  try {
    return JSON.parse(readFileSync(join(folder, "verdicts.json"), "utf8"));
  } catch {
    return undefined;
  }
}

const run = result();
const agrees = run !== undefined && String(run.exitCode) === exitCode;
const sentence = agrees ? String(run.summary) : "it ended before there was a result; the log says why";
const shown = sentence.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 1000);
const target = run?.run?.embedded === false ? "remote" : "embedded";
process.stdout.write(`${outcomes[exitCode] ?? "harness-error"}\n${agrees ? target : "unknown"}\n${shown}\n`);
