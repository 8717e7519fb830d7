import { HarnessError } from "@assay/contract";
import { join } from "node:path";

const allowedName = /^[a-z0-9._-]{1,60}$/u;
const extension = ".json";

/** Path of a baseline. Fails with `bad-name`, so that no name can leave the folder. */
export const baselineFile = (folder: string, name: string): string => {
  if (!allowedName.test(name)) {
    throw new HarnessError(
      "bad-name",
      `${JSON.stringify(name.slice(0, 80))} cannot name a baseline; use 1 to 60 of the characters a-z, 0-9, dot, hyphen and underscore.`,
    );
  }
  return join(folder, `${name}${extension}`);
};

/** Name of the baseline in a file; undefined for other files. */
export const nameOfBaselineFile = (file: string): string | undefined => {
  const name = file.endsWith(extension) ? file.slice(0, -extension.length) : "";
  return allowedName.test(name) ? name : undefined;
};
