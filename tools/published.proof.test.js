/** @module-tag proof */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { computeFileDigest, reports } from "./published.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const digests = () => Object.values(reports).flatMap(({ files }) => files.map((file) => computeFileDigest(file)));

/** The smallest run of each program that makes a report; it publishes nothing. */
test.each([
  ["bench", "npm", "run", "-s", "bench", "--", "--smoke"],
  ["commands", "node", "tools/command-times.js", "--smoke"],
  ["pictures", "node", "tools/pictures.js", "--smoke"],
  ["peers", "node", "tools/peers.js", "--smoke"],
  ["mutate", "node", "tools/mutate.js", "results", "src/positive-count.ts"],
])("npm run %s still runs to its end", (_name, command, ...args) => {
  const before = digests();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  expect({ status, end: status === 0 ? "" : (stdout + stderr).slice(-3000) }).toEqual({ status: 0, end: "" });
  expect(digests()).toEqual(before);
});

test("no profile of the benchmark has fallen below nine tenths of its published ratios", () => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "bench", "--", "--quick"], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ status, end: status === 0 ? "" : (stdout + stderr).slice(-3000) }).toEqual({ status: 0, end: "" });
});
