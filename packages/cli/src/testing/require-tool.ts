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

/** Names of tools that must be there: the variable ASSAY_REQUIRE, separated by commas. */
const requiredTools = (env: NodeJS.ProcessEnv): readonly string[] =>
  (env["ASSAY_REQUIRE"] ?? "").split(",").map((name) => name.trim());

/**
 * Whether a program is on the path, for `test.skipIf(!hasTool("openssl"))`. Fails if it is missing and ASSAY_REQUIRE names it, so that no
 * test is skipped on machines with all tools.
 */
export function hasTool(name: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const isThere = (env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && isExecutable(join(folder, name)));
  if (!isThere && requiredTools(env).includes(name)) {
    throw new Error(`${name} is not installed, but ASSAY_REQUIRE says that it has to be`);
  }
  return isThere;
}
