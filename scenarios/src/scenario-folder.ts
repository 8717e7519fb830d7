import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, for sources and compiled code alike. */
export const scenarioFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const executableName = process.platform === "win32" ? "k6.exe" : "k6";

/** Returns the path at which `npm run k6:build` writes k6. The file need not exist. */
export const getBuiltK6Path = (): string => join(scenarioFolder, "k6", "bin", executableName);

/** The optional package with k6 for this system. */
export const k6Package = `assay-k6-${process.platform}-${process.arch}`;

/** Returns the path of k6 in that package, or undefined if the package is not installed. */
export function findInstalledK6(): string | undefined {
  const require = createRequire(import.meta.url);
  const folders = require.resolve.paths(k6Package) ?? [];
  return folders.map((folder) => join(folder, k6Package, "bin", executableName)).find((path) => existsSync(path));
}
