#!/usr/bin/env node
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

/** Maximum number of files that a run has open at the same time, without those of Node. */
const neededFiles = 32;

/** Whether `count` files may be open. Without this check a run would fail later, without a useful message. */
function mayOpen(count) {
  const open = [];
  try {
    for (let index = 0; index < count; index++) {
      open.push(openSync(fileURLToPath(import.meta.url)));
    }
    return true;
  } catch {
    return false;
  } finally {
    open.forEach((descriptor) => closeSync(descriptor));
  }
}

/** Node would end with 1 here, the code of a violated contract. */
function fail(sentence, exitCode) {
  writeSync(2, `assay: ${sentence}\n`);
  process.exitCode = exitCode;
}

// In a clone the program may be missing, or older than its sources; where it was installed, no sources are beside it.
const clone = new URL("../../../tools/compiled-program.js", import.meta.url);
try {
  // Node 22 and later store compiled code, so that the program loads faster the next time.
  module.enableCompileCache?.();
  const trouble = mayOpen(neededFiles)
    ? existsSync(clone)
      ? (await import(clone.href)).explainStaleProgram()
      : undefined
    : `fewer than ${neededFiles} more files may be open; allow more, such as with \`ulimit -n 1024\``;
  if (trouble === undefined) {
    const { main } = await import("../dist/bundle/main.js");
    process.exitCode = await main(process.argv.slice(2));
  } else {
    fail(trouble, 2);
  }
} catch (error) {
  const [why] = String(error instanceof Error ? error.message : error).split("\n", 1);
  fail(`this program cannot be started: ${why}; install it again`, 70);
}
