#!/usr/bin/env node
/**
 * Builds k6 with the module `k6/x/assay` into `bin/k6` and prints its version and SHA-256 digest, which also goes to
 * `bin/k6.sha256`. With `--check` it builds a second time, from a copy in another folder, and compares the two digests.
 * Ends with 0, with 1 when the build fails or is not reproducible, and with 2 when Go is missing or too old.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { moduleFolder, findGoProblem, runGo } from "./go-tool.js";

const executableName = (process.env.GOOS ?? process.platform).startsWith("win") ? "k6.exe" : "k6";

/** Prints a sentence and exits with a code. */
function exitWith(code, sentence) {
  process.stderr.write(`k6:build: ${sentence}\n`);
  process.exit(code);
}

function build(source, output) {
  const args = ["build", "-trimpath", "-ldflags", "-s -w", "-o", output, "."];
  if (!runGo(args, { cwd: source, env: { CGO_ENABLED: "0" } })) {
    rmSync(output, { force: true });
    exitWith(
      1,
      "go build failed, for the reason above; without a network, the modules of go.sum must be in the module cache.",
    );
  }
}

const hashFile = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Builds a copy of the sources in another folder and returns its digest. */
function buildCopyDigest() {
  const copyFolder = mkdtempSync(join(tmpdir(), "assay-k6-"));
  process.on("exit", () => rmSync(copyFolder, { recursive: true, force: true }));
  cpSync(moduleFolder, copyFolder, { recursive: true, filter: (path) => basename(path) !== "bin" });
  build(copyFolder, join(copyFolder, "again"));
  return hashFile(join(copyFolder, "again"));
}

function readVersion(file) {
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: "false" };
  const { status, stdout } = spawnSync(file, ["version"], { encoding: "utf8", env, timeout: 60_000 });
  // A program for another system cannot run here.
  return status === 0 ? (stdout.split("\n")[0] ?? "").trim() : "k6 for another system";
}

const unknownOption = process.argv.slice(2).find((argument) => argument !== "--check");
if (unknownOption !== undefined) {
  exitWith(2, `the option ${JSON.stringify(unknownOption)} is not known; there is only --check.`);
}
const goProblem = findGoProblem();
if (goProblem !== undefined) {
  exitWith(2, `${goProblem} Or use a k6 with k6/x/assay that is built already: ASSAY_K6=/path/to/k6.`);
}
const bin = join(moduleFolder, "bin");
mkdirSync(bin, { recursive: true });
const program = join(bin, executableName);
const temporaryProgram = join(bin, `.${executableName}.${process.pid}`);
build(moduleFolder, temporaryProgram);
// A running k6 keeps its program.
renameSync(temporaryProgram, program);
const digest = hashFile(program);
writeFileSync(join(bin, `${executableName}.sha256`), `${digest}  ${executableName}\n`);
process.stdout.write(`${readVersion(program)} with k6/x/assay\n${program}\nsha256 ${digest}\n`);
if (process.argv.includes("--check")) {
  const secondDigest = buildCopyDigest();
  if (secondDigest !== digest) {
    exitWith(1, `the build is not reproducible: a copy of the sources in another folder gave ${secondDigest}.`);
  }
  process.stdout.write("A second build in another folder gave the same digest.\n");
}
