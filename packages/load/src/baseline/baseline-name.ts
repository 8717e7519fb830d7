import { HarnessError } from "@assay/contract";
import { join } from "node:path";

const allowedName = /^[a-z0-9._-]{1,60}$/u;
const extension = ".json";

/**
 * Returns the path of a baseline. A name is 1 to 60 lower-case letters, digits, dots, hyphens or underscores. Throws
 * `bad-name` for any other name, so that a path cannot escape the folder.
 */
export const getBaselinePath = (folder: string, name: string): string => {
  if (!allowedName.test(name)) {
    throw new HarnessError(
      "bad-name",
      `${JSON.stringify(name.slice(0, 80))} is not a valid baseline name; use 1 to 60 characters: a-z, 0-9, dot, hyphen, underscore`,
    );
  }
  return join(folder, `${name}${extension}`);
};

/** Returns the name of the baseline in a file, or undefined if the file is not a baseline. */
export const parseBaselineFileName = (file: string): string | undefined => {
  const name = file.endsWith(extension) ? file.slice(0, -extension.length) : "";
  return allowedName.test(name) ? name : undefined;
};
