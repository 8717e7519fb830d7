import { turbo } from "./test-environment.js";

/**
 * `npm test`: layers, build, format, the lint without types, and the tests of all packages. Unchanged packages that passed are not
 * run again; `npm test -- --force` runs them.
 */
const startedAt = Date.now();

const extraArgs = process.argv.slice(2);
// Builds first, because most tests run the compiled output.
const status =
  turbo("boundaries") ||
  turbo("run", "build", ...extraArgs) ||
  turbo("run", "test", "lint:quick", "format:check", "--continue", ...extraArgs);
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(`${status === 0 ? "passed" : "failed"} after ${seconds} s\n`);
process.exitCode = status;
