import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Returns the root of the repository that contains a folder, or undefined if there is none. */
export function findRepositoryRoot(folder: string): string | undefined {
  const parent = dirname(resolve(folder));
  return existsSync(join(folder, ".git"))
    ? resolve(folder)
    : parent === resolve(folder)
      ? undefined
      : findRepositoryRoot(parent);
}
