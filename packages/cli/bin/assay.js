#!/usr/bin/env node
import { existsSync } from "node:fs";

// In a clone the program may be missing, or older than its sources; where it was installed, no sources are beside it.
const clone = new URL("../../config/compiled-program.js", import.meta.url);
const trouble = existsSync(clone) ? (await import(clone.href)).whyNotCurrent() : undefined;
if (trouble === undefined) {
  const { main } = await import("../dist/bundle/main.js");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`assay: ${trouble}\n`);
  process.exitCode = 2;
}
