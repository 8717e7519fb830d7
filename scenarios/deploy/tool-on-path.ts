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

/** Whether ASSAY_REQUIRE, names separated by commas, says that a tool has to be there. */
export const isRequired = (name: string): boolean =>
  (process.env["ASSAY_REQUIRE"] ?? "")
    .split(",")
    .map((required) => required.trim())
    .includes(name);

/** Whether a program is on the path; throws when it is not although ASSAY_REQUIRE names it. */
export function hasTool(name: string): boolean {
  const isThere = (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && isExecutable(join(folder, name)));
  if (!isThere && isRequired(name)) {
    throw new Error(`${name} is not installed, but ASSAY_REQUIRE says that it has to be`);
  }
  return isThere;
}
