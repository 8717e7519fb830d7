import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory();
    if (!isThere) {
      throw error;
    }
  }
}

/**
 * Makes a folder and those above it that are missing, by default for their owner alone; one that is there stays as it is. Fails
 * with the error of the disk. What Node does for itself tries again for ever where a file system says that an existing
 * folder has no room for another, as `/proc` does.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (codeOf(error) !== "ENOENT" || above === folder) {
      throw error;
    }
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}
