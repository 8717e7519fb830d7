#!/usr/bin/env node
/**
 * Vets and tests the Go module, with the race detector if there is a C compiler. Without Go it prints a sentence and
 * exits with 0, or with 2 if ASSAY_REQUIRE contains `k6`.
 */
import { spawnSync } from "node:child_process";
import { missingGo, readGo, runGo } from "./go-tool.js";
import { outputOfFailures, testEvents, writeResults } from "./test-results.js";

const missing = missingGo();
if (missing !== undefined) {
  const isRequired = (process.env.ASSAY_REQUIRE ?? "").split(",").includes("k6");
  process.stderr.write(`k6:test: ${isRequired ? "" : "skipped: "}${missing}\n`);
  process.exit(isRequired ? 2 : 0);
}
const hasCompiler = spawnSync(process.env.CC ?? "cc", ["--version"], { stdio: "ignore" }).status === 0;
if (!hasCompiler) {
  process.stderr.write("k6:test: without a C compiler the race detector is left out.\n");
}
const race = hasCompiler ? ["-race"] : [];
const isVetted = runGo(["vet", "./..."]);
const { isGood, output } = readGo(
  ["test", ...race, "-timeout", "5m", "-json", "./..."],
  hasCompiler ? { CGO_ENABLED: "1" } : {},
);
const events = testEvents(output);
process.stdout.write(outputOfFailures(events));
writeResults(events);
process.exit(isVetted && isGood ? 0 : 1);
