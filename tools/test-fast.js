/**
 * `npm run test:fast -- FILE|PACKAGE... [-t NAME]`: runs the tests of the named files or packages from source, without a build.
 * FILE is a path inside a package, or a prefix of one. Vitest uses it as a filter.
 */

import { existsSync } from "node:fs";
import { runVitest, splitTestPath, testedFolders, testedNames } from "./test-files.js";

const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith("-"));
const names = firstFlag === -1 ? args : args.slice(0, firstFlag);
const flags = firstFlag === -1 ? [] : args.slice(firstFlag);

const findFolder = (name) => testedFolders.find((folder) => folder === name || folder === `packages/${name}`);

function resolveTarget(name) {
  const folder = findFolder(name);
  const target = folder === undefined ? splitTestPath(name) : { folder, path: "" };
  return target === undefined || (!existsSync(name) && folder === undefined)
    ? {
        problem: `${name} is neither a file nor a package; packages are ${testedNames.join(", ")}`,
      }
    : target;
}

const targets = names.map((name) => resolveTarget(name));
const problems = targets.flatMap(({ problem }) => problem ?? []);
if (names.length === 0 || problems.length > 0) {
  process.stderr.write(
    `${problems[0] ?? "usage: npm run test:fast -- FILE|PACKAGE..., for example packages/rules/src/all-rules.test.ts"}\n`,
  );
  process.exitCode = 2;
} else {
  const folders = [...new Set(targets.map(({ folder }) => folder))];
  const codes = folders.map((folder) => {
    const paths = targets.filter((target) => target.folder === folder).map(({ path }) => path);
    return runVitest(folder, ["run", "--reporter=default", ...(paths.includes("") ? [] : paths), ...flags]);
  });
  process.exitCode = Math.max(...codes);
}
