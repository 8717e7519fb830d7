import { existsSync } from "node:fs";
import { placeOf, testedFolders, vitest } from "./test-files.js";

/**
 * `npm run test:fast -- FILE|PACKAGE... [-t NAME]`: runs tests of some files or packages from their sources, without a build.
 * PACKAGE is a name. FILE is a package and part of a path in it, as for vitest.
 */
const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith("-"));
const names = firstFlag === -1 ? args : args.slice(0, firstFlag);
const flags = firstFlag === -1 ? [] : args.slice(firstFlag);

const folderNamed = (name) => testedFolders.find((folder) => folder === name || folder === `packages/${name}`);

function placed(name) {
  const folder = folderNamed(name);
  const place = folder === undefined ? placeOf(name) : { folder, path: "" };
  return place === undefined || (!existsSync(name) && folder === undefined)
    ? {
        problem: `${name} is neither a file nor a package (${testedFolders.map((one) => one.replace("packages/", "")).join(", ")})`,
      }
    : place;
}

const places = names.map((name) => placed(name));
const problems = places.flatMap(({ problem }) => problem ?? []);
if (names.length === 0 || problems.length > 0) {
  process.stderr.write(
    `${problems[0] ?? "name files or packages: npm run test:fast -- packages/rules/src/all-rules.test.ts"}\n`,
  );
  process.exitCode = 2;
} else {
  const folders = [...new Set(places.map(({ folder }) => folder))];
  const codes = folders.map((folder) => {
    const paths = places.filter((place) => place.folder === folder).map(({ path }) => path);
    return vitest(folder, ["run", "--reporter=default", ...(paths.includes("") ? [] : paths), ...flags]);
  });
  process.exitCode = Math.max(...codes);
}
