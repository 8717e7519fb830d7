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
import { folder, missingGo, runGo } from "./go-tool.js";

const executable = (process.env.GOOS ?? process.platform).startsWith("win") ? "k6.exe" : "k6";

/** Ends the program with one sentence. */
function stop(code, sentence) {
  process.stderr.write(`k6:build: ${sentence}\n`);
  process.exit(code);
}

function build(source, output) {
  const args = ["build", "-trimpath", "-ldflags", "-s -w", "-o", output, "."];
  if (!runGo(args, { cwd: source, env: { CGO_ENABLED: "0" } })) {
    rmSync(output, { force: true });
    stop(
      1,
      "go build failed, for the reason above; without a network the modules of go.sum have to be in the module cache.",
    );
  }
}

const digestOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Builds a copy of the sources in another folder and returns its digest. */
function digestOfCopy() {
  const copy = mkdtempSync(join(tmpdir(), "assay-k6-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(folder, copy, { recursive: true, filter: (path) => basename(path) !== "bin" });
  build(copy, join(copy, "again"));
  return digestOf(join(copy, "again"));
}

function versionOf(file) {
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: "false" };
  const { status, stdout } = spawnSync(file, ["version"], { encoding: "utf8", env, timeout: 60_000 });
  // A program for another system cannot run here.
  return status === 0 ? (stdout.split("\n")[0] ?? "").trim() : "k6 for another system";
}

const unknown = process.argv.slice(2).find((argument) => argument !== "--check");
if (unknown !== undefined) {
  stop(2, `the option ${JSON.stringify(unknown)} is not known; there is only --check.`);
}
const missing = missingGo();
if (missing !== undefined) {
  stop(2, `${missing} Or use a k6 with k6/x/assay that is built already: ASSAY_K6=/path/to/k6.`);
}
const bin = join(folder, "bin");
mkdirSync(bin, { recursive: true });
const program = join(bin, executable);
const fresh = join(bin, `.${executable}.${process.pid}`);
build(folder, fresh);
// A running k6 keeps its program.
renameSync(fresh, program);
const digest = digestOf(program);
writeFileSync(join(bin, `${executable}.sha256`), `${digest}  ${executable}\n`);
process.stdout.write(`${versionOf(program)} with k6/x/assay\n${program}\nsha256 ${digest}\n`);
if (process.argv.includes("--check")) {
  const again = digestOfCopy();
  if (again !== digest) {
    stop(1, `the build is not reproducible: a copy of the sources in another folder gave ${again}.`);
  }
  process.stdout.write("A second build in another folder gave the same digest.\n");
}
