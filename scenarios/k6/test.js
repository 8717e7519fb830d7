#!/usr/bin/env node
/**
 * Vets and tests the Go module, with the race detector if there is a C compiler. Without Go it prints a sentence and
 * exits with 0, or with 2 if ASSAY_REQUIRE contains `k6`.
 */
import { spawnSync } from "node:child_process";
import { findGoProblem, readGo, runGo } from "./go-tool.js";
import { collectFailureOutput, parseTestEvents, writeResults } from "./test-results.js";

const goProblem = findGoProblem();
if (goProblem !== undefined) {
  const isRequired = (process.env.ASSAY_REQUIRE ?? "").split(",").includes("k6");
  process.stderr.write(`k6:test: ${isRequired ? "" : "skipped: "}${goProblem}\n`);
  process.exit(isRequired ? 2 : 0);
}
const hasCompiler = spawnSync(process.env.CC ?? "cc", ["--version"], { stdio: "ignore" }).status === 0;
if (!hasCompiler) {
  process.stderr.write("k6:test: without a C compiler the race detector is left out.\n");
}
const raceArgs = hasCompiler ? ["-race"] : [];
const isVetted = runGo(["vet", "./..."]);
const { isSuccessful, output } = readGo(
  ["test", ...raceArgs, "-timeout", "5m", "-json", "./..."],
  hasCompiler ? { CGO_ENABLED: "1" } : {},
);
const events = parseTestEvents(output);
process.stdout.write(collectFailureOutput(events));
writeResults(events);
process.exit(isVetted && isSuccessful ? 0 : 1);
