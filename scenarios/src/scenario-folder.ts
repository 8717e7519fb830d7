import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: the same one from its sources and from what is compiled. */
export const scenarioFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const executable = process.platform === "win32" ? "k6.exe" : "k6";

/** Where `npm run k6:build` puts a k6 with the extension of this project; nothing need be there. */
export const k6Binary = (): string => join(scenarioFolder, "k6", "bin", executable);

/** The package that holds a k6 with the extension for this system: an optional one of `assay`, which npm chooses by system. */
export const k6Package = `assay-k6-${process.platform}-${process.arch}`;

/** The k6 of that package; undefined where it is not installed. */
export function installedK6(): string | undefined {
  const require = createRequire(import.meta.url);
  const folders = require.resolve.paths(k6Package) ?? [];
  return folders.map((folder) => join(folder, k6Package, "bin", executable)).find((path) => existsSync(path));
}
