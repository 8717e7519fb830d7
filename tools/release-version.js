// `npm run release:version`: moves the files of `.changeset` to the changelog, and raises the version everywhere.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, testedFolders } from "./test-files.js";

const readVersion = () => JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")).version;
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });

const previousVersion = readVersion();
const { status } = spawnSync(join(root, "node_modules/.bin/changeset"), ["version"], { cwd: root, stdio: "inherit" });
const newVersion = readVersion();
if (status !== 0 || previousVersion === newVersion) {
  process.stderr.write("release:version: no file in .changeset raises the version; create one with `npx changeset`\n");
  process.exit(1);
}
/** Pages and sources that contain the version, with the surrounding text. */
const versionPlaces = [
  { path: "packages/cli/src/version.ts", format: (version) => `version: "${version}"` },
  { path: "README.md", format: (version) => `-${version}.tgz` },
];
for (const { path, format } of versionPlaces) {
  const text = readFileSync(join(root, path), "utf8");
  if (!text.includes(format(previousVersion))) {
    process.stderr.write(`release:version: ${path} does not contain the version ${previousVersion}\n`);
    process.exit(1);
  }
  writeFileSync(join(root, path), text.replaceAll(format(previousVersion), format(newVersion)));
}
// Workspace packages depend on exact versions.
const manifests = [...testedFolders, "."];
for (const path of manifests.map((folder) => join(root, folder, "package.json"))) {
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text
      .replaceAll(/("@assay\/[a-z-]+"): "[^"]+"/gu, `$1: "${newVersion}"`)
      .replace(/"version": "[^"]+"/u, `"version": "${newVersion}"`),
  );
}
run("npm", ["install", "--package-lock-only", "--ignore-scripts"]);
process.stdout.write(
  `${previousVersion} became ${newVersion}; check packages/cli/CHANGELOG.md, and tag the commit v${newVersion}\n`,
);
