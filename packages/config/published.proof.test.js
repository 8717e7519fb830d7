import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fileDigest, reports } from "./published.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const digests = () => Object.values(reports).flatMap(({ files }) => files.map((file) => fileDigest(file)));

/** The smallest run of each program that makes a report; it publishes nothing. */
test.each([
  ["bench", "packages/rules/bench/dist/run.js", "--smoke"],
  ["pictures", "packages/config/pictures.js", "--smoke"],
  ["peers", "packages/config/peers.js", "--smoke"],
  ["mutate", "packages/config/mutate.js", "results", "src/positive-count.ts"],
])("npm run %s still runs to its end", (name, ...args) => {
  const before = digests();
  if (name === "bench") {
    const built = spawnSync("npx", ["tsc", "-b", "packages/rules/bench"], { cwd: root, encoding: "utf8" });
    expect(built.stdout).toBe("");
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect(status, stdout.slice(-2000) + stderr.slice(-2000)).toBe(0);
  expect(digests()).toEqual(before);
});
