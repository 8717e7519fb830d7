// Prints why two runs say nothing about what changed, one sentence; nothing where they do. Usage: node not-compared.mjs BEFORE AFTER.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [before, after] = process.argv
  .slice(2)
  .map((folder) => JSON.parse(readFileSync(join(folder, "verdicts.json"), "utf8")));

// The last two are those of schema version 1.
const unjudged = new Set(["not-tested", "not-applicable", "blocked", "not-observed", "could-not-run"]);
const judged = ({ verdicts }) =>
  verdicts.filter(({ verdict }) => !unjudged.has(verdict.outcome)).map(({ rule }) => rule);
// 6: all was seen, and something was left behind.
const isComplete = ({ exitCode }) => [0, 1, 6].includes(exitCode);
const shown = (text) =>
  String(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, 500);

function reason() {
  if (!isComplete(before)) {
    return `nothing can be said about what changed: the run before is not complete (${shown(before.summary)})`;
  }
  const known = new Set(judged(before));
  return judged(after).some((rule) => known.has(rule))
    ? ""
    : "nothing can be said about what changed: no rule was judged in both runs";
}

process.stdout.write(reason());
