import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Reports whether ASSAY_REQUIRE, a comma-separated list, requires a tool. */
export const isRequired = (name: string): boolean =>
  (process.env["ASSAY_REQUIRE"] ?? "")
    .split(",")
    .map((requiredName) => requiredName.trim())
    .includes(name);

/** Reports whether a program is on the path. Throws if it is not and ASSAY_REQUIRE names it. */
export function hasTool(name: string): boolean {
  const isOnPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && isExecutable(join(folder, name)));
  if (!isOnPath && isRequired(name)) {
    throw new Error(`${name} is not installed, but ASSAY_REQUIRE requires it`);
  }
  return isOnPath;
}
