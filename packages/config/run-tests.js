import { turbo } from "./test-environment.js";

/**
 * `npm test`: layers, build, format, the lint that needs no types, and the tests of all packages. What has not changed since it
 * was green is not run again; `npm test -- --force` runs it all the same.
 */
const startedAt = Date.now();

const more = process.argv.slice(2);
// The build comes first, by itself: what it leaves is what most tests run.
const status =
  turbo("boundaries") ||
  turbo("run", "build", ...more) ||
  turbo("run", "test", "lint:quick", "format:check", "--continue", ...more);
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(`${status === 0 ? "green" : "not green"} after ${seconds} s\n`);
process.exitCode = status;
